#include "odsgd/app/app.hpp"

int main(int argc, char** argv) { return odsgd::run_program(argc, argv); }
