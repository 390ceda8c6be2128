/* The cheapest possible bot in C with a ZeroMQ library. */

#include <stdlib.h>
#include <zmq.h>

#include "trivial_answer.h"

static char came[1 << 20], answer[256];

int main(void) {
  const char *token = getenv("ARENA_TOKEN"), *endpoint = getenv("ARENA_ENDPOINT");
  void *socket = zmq_socket(zmq_ctx_new(), ZMQ_DEALER);
  zmq_setsockopt(socket, ZMQ_ROUTING_ID, token, strlen(token));
  if (zmq_connect(socket, endpoint) != 0) return 1;
  zmq_send(socket, hello, sizeof hello - 1, 0);
  for (;;) {
    int size = zmq_recv(socket, came, sizeof came, 0);
    if (size < 0) continue;
    if (is_bye(came, size)) return 0;
    size_t length = answer_to(came, size, answer);
    if (length) zmq_send(socket, answer, length, 0);
  }
}
