// A chess engine that plays any legal move, for `benchmarks.peers`: it does next to nothing, as the trivial bots do.
// Build it with the chess.hpp that comes with fastchess.
#include <iostream>
#include <sstream>
#include <string>

#include "chess.hpp"

int main(int argc, char **argv) {
  std::ios::sync_with_stdio(false);
  unsigned long long random = argc > 1 ? std::stoull(argv[1]) : 1;
  chess::Board board;
  std::string line, last;
  while (std::getline(std::cin, line)) {
    if (line == "uci") {
      std::cout << "id name random\nuciok" << std::endl;
    } else if (line == "isready") {
      std::cout << "readyok" << std::endl;
    } else if (line.rfind("position", 0) == 0) {
      // The moves grow from turn to turn; only those that are new are played.
      bool more = !last.empty() && line.rfind(last, 0) == 0;
      std::istringstream words(more ? line.substr(last.size()) : line.substr(line.find("startpos") + 8));
      if (!more) board = chess::Board();
      for (std::string word; words >> word;)
        if (word != "moves") board.makeMove(chess::uci::uciToMove(board, word));
      last = line;
    } else if (line.rfind("go", 0) == 0) {
      chess::Movelist moves;
      chess::movegen::legalmoves(moves, board);
      random = random * 6364136223846793005ULL + 1442695040888963407ULL;
      std::cout << "bestmove " << chess::uci::moveToUci(moves[(random >> 33) % moves.size()]) << std::endl;
    } else if (line == "quit") {
      return 0;
    }
  }
}
