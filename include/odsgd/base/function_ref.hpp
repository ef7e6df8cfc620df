#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace odsgd {

template <class Signature>
class FunctionRef;

/// A callable that somebody else owns: as std::function for parameters, without its allocation.
/// What it refers to must outlive it. Empty ones are false and must not be called.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  FunctionRef() = default;

  template <class Function>
  requires(!std::same_as<std::remove_cvref_t<Function>, FunctionRef> &&
           std::is_invocable_r_v<Result, Function&, Arguments...>)
      FunctionRef(Function&& function)  // NOLINT: converts like std::function
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(function)))),
        call_([](void* object, Arguments... arguments) -> Result {
          return (*static_cast<std::add_pointer_t<Function>>(object))(
              std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const {
    return call_(object_, std::forward<Arguments>(arguments)...);
  }
  explicit operator bool() const { return call_ != nullptr; }

 private:
  void* object_ = nullptr;
  Result (*call_)(void*, Arguments...) = nullptr;
};

}  // namespace odsgd
