#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "names.hpp"
#include "version.hpp"

namespace odsgd::prep {
namespace {

constexpr const char* kFooter =
    "Exit codes: 0 done, 1 bad data or reading or writing failed, 2 bad command line.\n"
    "The output appears under its name only when it is complete; docs/file-formats.md tells what "
    "is "
    "in it.";

CLI::Validator not_empty() {
  return {[](std::string& text) {
            return text.empty() ? "got an empty value, want a name" : std::string();
          },
          ""};
}

/// What `parse_command_line` fills; class names stay text until all else is right.
struct Parsed {
  MnistOptions mnist;
  std::string class_names;
  bool replace = false;
};

CLI::App* add_mnist(CLI::App& app, Parsed& parsed) {
  CLI::App* command = app.add_subcommand("mnist", "Pack MNIST, or a data set in the same files");
  command
      ->add_option("--input", parsed.mnist.input,
                   "Directory with train-images-idx3-ubyte, train-labels-idx1-ubyte, "
                   "t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte, gzipped or not; "
                   "train-images.idx3-ubyte etc. do as well")
      ->required()
      ->check(not_empty())
      ->type_name("DIR");
  command->add_option("--output", parsed.mnist.output, "Data file to write")
      ->required()
      ->check(not_empty())
      ->type_name("FILE");
  command->add_option("--name", parsed.mnist.name, "Name of the data set")
      ->capture_default_str()
      ->type_name("NAME");
  command
      ->add_option("--class-names", parsed.class_names,
                   "Names of the labels from 0 on, separated by commas [default: 0,1,...,9]")
      ->type_name("A,B,...");
  command->add_flag("--force", parsed.replace, "Replace the output when it exists");
  command->footer(kFooter);
  return command;
}

MnistOptions checked(Parsed parsed, bool has_class_names) {
  const std::string fault = fault_of_name(parsed.mnist.name);
  ODSGD_REQUIRE(fault.empty(), "--name: got '{}', which {}, want a name", parsed.mnist.name, fault);
  if (has_class_names) {
    parsed.mnist.class_names = split_names(parsed.class_names, "--class-names");
  }
  parsed.mnist.existing = parsed.replace ? Existing::kReplace : Existing::kKeep;
  return parsed.mnist;
}

}  // namespace

Command parse_command_line(std::vector<std::string> arguments) {
  CLI::App app("Packs data sets into the HDF5 files that odsgd trains on", "odsgd-prep");
  app.set_version_flag("--version", fmt::format("odsgd-prep {}", kVersion),
                       "Print the version and exit");
  app.get_formatter()->column_width(34);
  app.require_subcommand(1);
  app.footer(fmt::format("odsgd-prep COMMAND --help tells a command's options.\n{}", kFooter));
  Parsed parsed;
  CLI::App* mnist = add_mnist(app, parsed);
  if (!arguments.empty() && !arguments.front().starts_with('-') &&
      !mnist->check_name(arguments.front())) {
    throw UsageError(
        fmt::format("command: got {}, want mnist (see odsgd-prep --help)", arguments.front()));
  }
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them last first
  try {
    app.parse(std::move(arguments));
    return checked(parsed, mnist->count("--class-names") > 0);
  } catch (const CLI::CallForVersion& version) {
    return ShowText{fmt::format("{}\n", version.what())};
  } catch (const CLI::CallForHelp&) {
    return ShowText{app.help()};
  } catch (const std::exception& error) {
    std::string what = error.what();
    std::replace(what.begin(), what.end(), '\n', ' ');
    throw UsageError(
        fmt::format("{} (see odsgd-prep{} --help)", what, mnist->parsed() ? " mnist" : ""));
  }
}

}  // namespace odsgd::prep
