#include "client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include <zmq.h>

// SplitMix64: small, and the same everywhere.
uint64_t arena_random(struct arena_game *game, uint64_t end) {
    uint64_t mixed = game->random += UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    mixed ^= mixed >> 31;
    return end == 0 ? 0 : mixed % end;
}

// The place in the list of games where that game hangs, or the list's end.
static struct arena_game **find(struct arena_session *session, msgpack_object_str game_id) {
    struct arena_game **place = &session->games;
    while (*place != NULL && !text_same((*place)->start.game_id, game_id)) {
        place = &(*place)->next;
    }
    return place;
}

// A message is one map, from the first byte of its frame to the last.
static bool unpack(msgpack_unpacked *into, const char *frame, size_t size) {
    size_t end = 0;
    return msgpack_unpack_next(into, frame, size, &end) == MSGPACK_UNPACK_SUCCESS && end == size &&
           into->data.type == MSGPACK_OBJECT_MAP;
}

static void forget(struct arena_game **place) {
    struct arena_game *game = *place;
    if (game != NULL) {
        *place = game->next;
        msgpack_unpacked_destroy(&game->parts);
        free(game->frame);
        free(game);
    }
}

void arena_forget(struct arena_session *session) {
    while (session->games != NULL) {
        forget(&session->games);
    }
}

// A game that starts again, after another hello or because it is replayed, replaces what was known of it.
static bool begin(struct arena_session *session, const char *frame, size_t size) {
    struct arena_game *game = calloc(1, sizeof *game);
    if (game == NULL) {
        return false;
    }
    msgpack_unpacked_init(&game->parts);
    game->frame = malloc(size);
    if (game->frame != NULL) {
        memcpy(game->frame, frame, size);
    }
    if (game->frame == NULL || !unpack(&game->parts, game->frame, size)) {
        forget(&game);
        return false;
    }
    read_arena_start(&game->parts.data, &game->start);
    game->random = game->start.bot_seed;
    forget(find(session, game->start.game_id));
    game->next = session->games;
    session->games = game;
    return true;
}

static enum arena_answer answer(struct arena_session *session, const msgpack_object *message, msgpack_sbuffer *frame) {
    struct arena_decide decision;
    read_arena_decide(message, &decision);
    struct arena_game *game = *find(session, decision.game_id);
    if (game == NULL) {
        fprintf(stderr, "asked about a game that has not begun\n");
        return ARENA_NONE;
    }
    const struct arena_act act = session->bot(game, &decision);
    msgpack_packer packer;
    msgpack_packer_init(&packer, frame, msgpack_sbuffer_write);
    pack_act(&packer, decision.game_id, decision.turn, &act);
    return ARENA_ACT;
}

static void log_fault(const msgpack_object *message) {
    struct arena_fault fault;
    read_arena_fault(message, &fault);
    const int code = (int)fault.code.size;
    const int text = (int)fault.text.size;
    fprintf(stderr, "fault %.*s: %.*s\n", code, fault.code.ptr, text, fault.text.ptr);
}

#define MESSAGE_TYPE(X, tag) X(tag, TEXT, type, "type")
STRUCT(message_type, MESSAGE_TYPE)

enum arena_answer arena_take(struct arena_session *session, const char *frame, size_t size, msgpack_sbuffer *act) {
    enum arena_answer result = ARENA_NONE; // of `welcome` too, and of what a later version may send
    struct message_type is;
    msgpack_unpacked unpacked;
    msgpack_unpacked_init(&unpacked);
    const msgpack_object *message = &unpacked.data;
    const bool whole = unpack(&unpacked, frame, size);
    read_message_type(message, &is);
    if (!whole) {
        result = ARENA_BROKEN;
    } else if (text_is(is.type, "start")) {
        result = begin(session, frame, size) ? ARENA_NONE : ARENA_BROKEN;
    } else if (text_is(is.type, "decide")) {
        result = answer(session, message, act);
    } else if (text_is(is.type, "fault")) {
        log_fault(message);
    } else if (text_is(is.type, "end")) {
        struct arena_end end;
        read_arena_end(message, &end);
        forget(find(session, end.game_id));
    } else if (text_is(is.type, "bye")) {
        result = ARENA_OVER;
    }
    msgpack_unpacked_destroy(&unpacked);
    return result;
}

// Waiting calls fail with EINTR when the process is resumed after a stop: they must be repeated.
static bool send_frame(void *socket, const msgpack_sbuffer *frame) {
    while (zmq_send(socket, frame->data, frame->size, 0) < 0) {
        if (zmq_errno() != EINTR) {
            return false;
        }
    }
    return true;
}

static bool connect_as(void *socket, const char *token, const char *endpoint) {
    const int second = 1000;
    return zmq_setsockopt(socket, ZMQ_ROUTING_ID, token, strlen(token)) == 0 &&
           zmq_setsockopt(socket, ZMQ_RCVTIMEO, &second, sizeof second) == 0 &&
           zmq_setsockopt(socket, ZMQ_LINGER, &second, sizeof second) == 0 && zmq_connect(socket, endpoint) == 0;
}

// Answers messages until `bye`. A wait ends after a second, to check that the parent is still alive.
static bool play(void *socket, struct arena_session *session, pid_t parent) {
    enum arena_answer result = ARENA_NONE;
    bool sound = true;
    while (sound && result != ARENA_OVER && getppid() == parent) {
        zmq_msg_t frame;
        zmq_msg_init(&frame);
        if (zmq_msg_recv(&frame, socket, 0) < 0) {
            sound = zmq_errno() == EAGAIN || zmq_errno() == EINTR;
        } else {
            msgpack_sbuffer act;
            msgpack_sbuffer_init(&act);
            result = arena_take(session, zmq_msg_data(&frame), zmq_msg_size(&frame), &act);
            sound = result != ARENA_BROKEN && (result != ARENA_ACT || send_frame(socket, &act));
            msgpack_sbuffer_destroy(&act);
        }
        zmq_msg_close(&frame);
    }
    return sound;
}

int arena_run(const struct arena_hello *hello, arena_bot *bot) {
    const pid_t parent = getppid();
    const char *token = getenv("ARENA_TOKEN");
    const char *endpoint = getenv("ARENA_ENDPOINT");
    if (token == NULL || endpoint == NULL) {
        fprintf(stderr, "ARENA_ENDPOINT or ARENA_TOKEN is not set: start this bot by the arena\n");
        return EXIT_FAILURE;
    }
    struct arena_session session = {bot, NULL};
    msgpack_sbuffer frame;
    msgpack_sbuffer_init(&frame);
    msgpack_packer packer;
    msgpack_packer_init(&packer, &frame, msgpack_sbuffer_write);
    pack_hello(&packer, hello);

    void *context = zmq_ctx_new();
    void *socket = zmq_socket(context, ZMQ_DEALER);
    const bool sound = socket != NULL && connect_as(socket, token, endpoint) && send_frame(socket, &frame) &&
                       play(socket, &session, parent);
    if (!sound) {
        fprintf(stderr, "no connection, no message or no memory; the latest error: %s\n", zmq_strerror(zmq_errno()));
    }
    zmq_close(socket);
    while (zmq_ctx_term(context) < 0 && zmq_errno() == EINTR) {
    }
    msgpack_sbuffer_destroy(&frame);
    arena_forget(&session);
    return sound ? EXIT_SUCCESS : EXIT_FAILURE;
}
