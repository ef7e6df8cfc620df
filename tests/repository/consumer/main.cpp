#include <odsgd/base/random.hpp>

int main() { return odsgd::permutation(3, 1, 2).size() == 3 ? 0 : 1; }
