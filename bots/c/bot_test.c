// Asks the bot without a referee.

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot.h"

enum { LONGEST_MESSAGE = 4096 };

#define ACT(X, tag)                                                                                                    \
    X(tag, TEXT, type, "type")                                                                                         \
    X(tag, TEXT, game_id, "game_id")                                                                                   \
    X(tag, NUMBER, turn, "turn")                                                                                       \
    X(tag, NUMBER, index, "index")
STRUCT(act, ACT)

static int failures = 0;

static void check(bool holds, const char *what, const char *about) {
    if (!holds) {
        fprintf(stderr, "FAILED: %s %s\n", what, about);
        ++failures;
    }
}

static void pack_json(msgpack_packer *packer, struct json_object *json) {
    switch (json_object_get_type(json)) {
    case json_type_object:
        msgpack_pack_map(packer, (size_t)json_object_object_length(json));
        json_object_object_foreach(json, key, value) {
            pack_word(packer, key);
            pack_json(packer, value);
        }
        break;
    case json_type_array:
        msgpack_pack_array(packer, json_object_array_length(json));
        for (size_t index = 0; index < json_object_array_length(json); ++index) {
            pack_json(packer, json_object_array_get_idx(json, index));
        }
        break;
    case json_type_string:
        pack_word(packer, json_object_get_string(json));
        break;
    case json_type_boolean:
        json_object_get_boolean(json) ? msgpack_pack_true(packer) : msgpack_pack_false(packer);
        break;
    case json_type_int:
        msgpack_pack_int64(packer, json_object_get_int64(json));
        break;
    default:
        msgpack_pack_nil(packer);
    }
}

// Passes a message, written as JSON, to the session, and returns the index of its answer; -1: none.
static int64_t take(struct arena_session *session, const char *message) {
    msgpack_sbuffer frame;
    msgpack_sbuffer act;
    msgpack_sbuffer_init(&frame);
    msgpack_sbuffer_init(&act);
    msgpack_packer packer;
    msgpack_packer_init(&packer, &frame, msgpack_sbuffer_write);
    struct json_object *json = json_tokener_parse(message);
    check(json != NULL, message, "is JSON");
    pack_json(&packer, json);
    json_object_put(json);
    struct act said = {.index = -1};
    if (arena_take(session, frame.data, frame.size, &act) == ARENA_ACT) {
        msgpack_unpacked unpacked;
        msgpack_unpacked_init(&unpacked);
        check(msgpack_unpack_next(&unpacked, act.data, act.size, NULL) == MSGPACK_UNPACK_SUCCESS, "an act",
              "is msgpack");
        check(read_act(&unpacked.data, &said) == 4 && text_is(said.type, "act"), "an act", "has its four fields");
        check(text_is(said.game_id, "g") && said.turn == 7, "an act", "names its game and turn");
        msgpack_unpacked_destroy(&unpacked);
    }
    msgpack_sbuffer_destroy(&frame);
    msgpack_sbuffer_destroy(&act);
    return said.index;
}

// The answer of a new session to a start and a decision.
static int64_t decided(const char *start, const char *view, const char *actions) {
    struct arena_session session = {decide, NULL};
    char message[LONGEST_MESSAGE];
    snprintf(message, sizeof message, "{\"type\":\"start\",\"game_id\":\"g\",\"seat\":0,\"bot_seed\":5,%s}", start);
    take(&session, message);
    snprintf(message, sizeof message, "{\"type\":\"decide\",\"game_id\":\"g\",\"turn\":7,\"view\":%s,\"actions\":[%s]}",
             view, actions);
    const int64_t index = take(&session, message);
    arena_forget(&session);
    return index;
}

#define QUICK "{\"do\":\"travel\",\"days\":6,\"die\":false}"
#define SLOW "{\"do\":\"travel\",\"days\":9,\"die\":false}"
#define HOME "{\"do\":\"travel\",\"to\":\"London\",\"days\":6,\"die\":false}"
#define LATER "{\"do\":\"fly\",\"days\":\"none\"}"
#define STAY "{\"do\":\"stay\"}"
#define TAKE(card) "{\"do\":\"take\",\"place\":\"first\",\"card\":\"" card "\"}"
#define PLAY(to) "{\"do\":\"play\",\"card\":\"coach-5\",\"to\":" to "}"
#define ROSE(mode) "{\"do\":\"rose\",\"to\":\"" mode "\"}"
#define TWO "{\"do\":\"draw\",\"count\":2}"

static void kosmos_is_played(void) {
    const char *start = "\"game\":\"kosmos\",\"edition\":{\"board\":{\"legs\":[[[\"train\",\"ship\"]],\"elephant\"]}}";
    const char *travel = "{\"phase\":\"travel\"}";
    check(decided(start, travel, STAY "," SLOW "," QUICK) == 2, "kosmos:", "the quickest leg is travelled");
    check(decided(start, travel, STAY "," LATER "," QUICK) == 2, "kosmos:", "an unknown kind of action is passed over");
    check(decided(start, travel, STAY "," LATER) == 0, "kosmos:", "without a leg it stays");
    const char *strict = "\"game\":\"kosmos\",\"edition\":{\"parameters\":{\"late_first_loses\":true}}";
    const char *of_two = "{\"phase\":\"travel\",\"days\":[75,0]}";
    check(decided(strict, of_two, STAY "," HOME) == 0, "kosmos:", "of two, it does not come home late");
    check(decided(strict, "{\"phase\":\"travel\",\"days\":[74,0]}", STAY "," HOME) == 1, "kosmos:", "home in time");
    check(decided(strict, "{\"phase\":\"travel\",\"days\":[75,0,0]}", STAY "," HOME) == 1, "kosmos:", "of three, late");
    check(decided(start, of_two, STAY "," HOME) == 1, "kosmos:", "late where the edition has no such rule");
    const char *view = "{\"phase\":\"take\",\"city\":[0],\"hand\":[\"t3\"]}";
    const int64_t taken = decided(start, view, TAKE("t2") "," TAKE("s6") "," TAKE("s4"));
    check(taken == 2, "kosmos:", "the leg's cheapest missing card is taken");
}

static void ravensburger_is_played(void) {
    const char *start = "\"game\":\"ravensburger\",\"edition\":{}";
    const char *view = "{\"phase\":\"turn\",\"square\":[10],\"hand\":[\"coach-2\",\"train-5\",\"purse\"]}";
    check(decided(start, view, PLAY("12") "," PLAY("15") "," PLAY("5") "," TWO) == 1,
          "ravensburger:", "the longest stride");
    check(decided(start, view, PLAY("5") "," TWO) == 1, "ravensburger:", "rather two cards than a step back");
    check(decided(start, view, ROSE("coach") "," ROSE("train")) == 1,
          "ravensburger:", "the rose goes to the longest card");
}

static void anything_is_played(void) {
    const char *start = "\"game\":\"another\",\"edition\":null";
    const int64_t first = decided(start, "{}", STAY "," STAY "," STAY);
    check(first >= 0 && first < 3, "another:", "an unknown game is answered with something allowed");
    check(decided(start, "{}", STAY "," STAY "," STAY) == first, "another:", "the same seed gives the same answer");
}

int main(void) {
    kosmos_is_played();
    ravensburger_is_played();
    anything_is_played();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
