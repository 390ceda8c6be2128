// The bot's own tests: `bot_test decisions` asks the bot without a referee, `bot_test vectors FOLDER…` reads the golden
// vectors in the first of these folders that is there.

#include <dirent.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot.h"
#include "kosmos.h"
#include "ravensburger.h"

enum { SKIPPED = 77, LONGEST_PATH = 4096 }; // 77: as CMakeLists.txt says

static int failures = 0;

static void check(bool holds, const char *what, const char *about) {
    if (!holds) {
        fprintf(stderr, "FAILED: %s %s\n", what, about);
        ++failures;
    }
}

static bool same_number(const msgpack_object *object, struct json_object *json) {
    switch (object->type) {
    case MSGPACK_OBJECT_POSITIVE_INTEGER: // 64 bits without sign
        return json_object_is_type(json, json_type_int) && json_object_get_uint64(json) == object->via.u64 &&
               json_object_get_string(json)[0] != '-';
    case MSGPACK_OBJECT_NEGATIVE_INTEGER:
        return json_object_is_type(json, json_type_int) && json_object_get_int64(json) == object->via.i64;
    default:
        return json_object_is_type(json, json_type_double) && json_object_get_double(json) == object->via.f64;
    }
}

static bool same(const msgpack_object *object, struct json_object *json);

static bool same_map(msgpack_object_map map, struct json_object *json) {
    if (!json_object_is_type(json, json_type_object) || (int)map.size != json_object_object_length(json)) {
        return false;
    }
    json_object_object_foreach(json, key, value) {
        bool found = false;
        for (uint32_t index = 0; index < map.size; ++index) {
            found = found || (text_is(text_of(&map.ptr[index].key), key) && same(&map.ptr[index].val, value));
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool same_list(msgpack_object_array list, struct json_object *json) {
    if (!json_object_is_type(json, json_type_array) || list.size != json_object_array_length(json)) {
        return false;
    }
    for (uint32_t index = 0; index < list.size; ++index) {
        if (!same(&list.ptr[index], json_object_array_get_idx(json, index))) {
            return false;
        }
    }
    return true;
}

// Whether what was unpacked is what the JSON says.
static bool same(const msgpack_object *object, struct json_object *json) {
    switch (object->type) {
    case MSGPACK_OBJECT_NIL:
        return json == NULL;
    case MSGPACK_OBJECT_BOOLEAN:
        return json_object_is_type(json, json_type_boolean) && json_object_get_boolean(json) == object->via.boolean;
    case MSGPACK_OBJECT_STR:
        return json_object_is_type(json, json_type_string) && text_is(object->via.str, json_object_get_string(json));
    case MSGPACK_OBJECT_ARRAY:
        return same_list(object->via.array, json);
    case MSGPACK_OBJECT_MAP:
        return same_map(object->via.map, json);
    default:
        return same_number(object, json);
    }
}

// Whether all fields of a map are in our struct, with the type that they have there.
#define FITS(tag, object) (read_##tag((object), &(struct tag){0}) == (object)->via.map.size)

static bool all_fit(msgpack_object_array list, bool fits(const msgpack_object *)) {
    for (uint32_t index = 0; index < list.size; ++index) {
        if (!fits(&list.ptr[index])) {
            return false;
        }
    }
    return true;
}

static bool kosmos_use_fits(const msgpack_object *use) { return FITS(kosmos_use, use); }
static bool event_card_fits(const msgpack_object *card) { return FITS(ravensburger_event_card, card); }

static bool kosmos_fits(const char *name, const msgpack_object *object) {
    if (strncmp(name, "edition-", 8) == 0) {
        struct kosmos_edition edition;
        read_kosmos_edition(object, &edition);
        return FITS(kosmos_edition, object) && FITS(kosmos_knobs, edition.knobs) && FITS(kosmos_board, edition.board);
    }
    if (strncmp(name, "action-", 7) == 0) {
        struct kosmos_action action;
        read_kosmos_action(object, &action);
        return FITS(kosmos_action, object) && all_fit(action.uses, kosmos_use_fits);
    }
    if (strncmp(name, "view-", 5) == 0) {
        struct kosmos_view view;
        struct kosmos_by_deck hidden;
        read_kosmos_view(object, &view);
        read_kosmos_by_deck(view.hidden, &hidden);
        return FITS(kosmos_view, object) && FITS(kosmos_by_deck, view.decks) && FITS(kosmos_by_deck, view.piles) &&
               FITS(kosmos_unseen, hidden.travel) && FITS(kosmos_unseen, hidden.event) &&
               (view.leg == NULL || FITS(kosmos_leg, view.leg)) && (view.chit == NULL || FITS(kosmos_chit, view.chit));
    }
    return true; // events have no struct
}

static bool ravensburger_fits(const char *name, const msgpack_object *object) {
    if (strncmp(name, "edition-", 8) == 0) {
        struct ravensburger_edition edition;
        read_ravensburger_edition(object, &edition);
        return FITS(ravensburger_edition, object) && FITS(ravensburger_knobs, edition.knobs) &&
               FITS(ravensburger_board, edition.board) && FITS(ravensburger_cards, edition.cards) &&
               all_fit(edition.events, event_card_fits);
    }
    if (strncmp(name, "action-", 7) == 0) {
        return FITS(ravensburger_action, object);
    }
    if (strncmp(name, "view-", 5) == 0) {
        struct ravensburger_view view;
        struct ravensburger_by_deck hidden;
        read_ravensburger_view(object, &view);
        read_ravensburger_by_deck(view.hidden, &hidden);
        return FITS(ravensburger_view, object) && FITS(ravensburger_by_deck, view.decks) &&
               FITS(ravensburger_by_deck, view.piles) && FITS(ravensburger_unseen, hidden.action) &&
               FITS(ravensburger_unseen, hidden.event) && (view.turn == NULL || FITS(ravensburger_turn, view.turn));
    }
    return true;
}

static uint64_t seed_of(const msgpack_object *start) {
    struct arena_start read;
    read_arena_start(start, &read);
    return read.bot_seed;
}

static void check_vector(const char *file, struct json_object *vector) {
    const char *name = json_object_get_string(json_object_object_get(vector, "name"));
    const char *hex = json_object_get_string(json_object_object_get(vector, "hex"));
    struct json_object *json = json_object_object_get(vector, "json");
    const size_t size = strlen(hex) / 2;
    char *frame = malloc(size + 1);
    for (size_t index = 0; index < size; ++index) {
        const char digits[] = {hex[2 * index], hex[2 * index + 1], '\0'};
        frame[index] = (char)strtoul(digits, NULL, 16);
    }
    msgpack_unpacked unpacked;
    msgpack_unpacked_init(&unpacked);
    const bool whole = msgpack_unpack_next(&unpacked, frame, size, NULL) == MSGPACK_UNPACK_SUCCESS;
    check(whole && same(&unpacked.data, json), name, "is decoded to its JSON");
    if (strcmp(file, "kosmos.json") == 0) {
        check(kosmos_fits(name, &unpacked.data), name, "fits the structs of kosmos.h");
    } else if (strcmp(file, "ravensburger.json") == 0) {
        check(ravensburger_fits(name, &unpacked.data), name, "fits the structs of ravensburger.h");
    } else if (strcmp(name, "start") == 0) {
        const uint64_t seed = json_object_get_uint64(json_object_object_get(json, "bot_seed"));
        check(seed_of(&unpacked.data) == seed, name, "keeps the 64 bits of its bot_seed");
    }
    msgpack_unpacked_destroy(&unpacked);
    free(frame);
}

static size_t check_file(const char *folder, const char *file) {
    char path[LONGEST_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    struct json_object *vectors = json_object_from_file(path);
    check(vectors != NULL, path, "is JSON");
    const size_t count = vectors == NULL ? 0 : json_object_array_length(vectors);
    for (size_t index = 0; index < count; ++index) {
        check_vector(file, json_object_array_get_idx(vectors, index));
    }
    json_object_put(vectors);
    return count;
}

static int vectors(int count, char **folders) {
    for (int index = 0; index < count; ++index) {
        DIR *folder = opendir(folders[index]);
        if (folder == NULL) {
            continue;
        }
        size_t found = 0;
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
            const char *end = strrchr(entry->d_name, '.');
            if (end != NULL && strcmp(end, ".json") == 0 && strcmp(entry->d_name, "malformed.json") != 0) {
                found += check_file(folders[index], entry->d_name); // malformed.json is for referees
            }
        }
        closedir(folder);
        check(found > 0, folders[index], "holds vectors");
        fprintf(stderr, "%zu vectors of %s\n", found, folders[index]);
        return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    fprintf(stderr, "skipped: no folder with golden vectors\n");
    return SKIPPED;
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

// Hands a message, written as JSON, to the session. The index that it answers, -1 if it answers nothing.
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
    int64_t index = -1;
    if (arena_take(session, frame.data, frame.size, &act) == ARENA_ACT) {
        msgpack_unpacked unpacked;
        msgpack_unpacked_init(&unpacked);
        check(msgpack_unpack_next(&unpacked, act.data, act.size, NULL) == MSGPACK_UNPACK_SUCCESS, "an act",
              "is msgpack");
        char expected[LONGEST_PATH];
        const msgpack_object_map map = unpacked.data.via.map;
        index = number_of(&map.ptr[map.size - 1].val);
        snprintf(expected, sizeof expected, "{\"type\":\"act\",\"game_id\":\"g\",\"turn\":7,\"index\":%d}", (int)index);
        json = json_tokener_parse(expected);
        check(same(&unpacked.data, json), "an act", "names its game and turn");
        json_object_put(json);
        msgpack_unpacked_destroy(&unpacked);
    }
    msgpack_sbuffer_destroy(&frame);
    msgpack_sbuffer_destroy(&act);
    return index;
}

// The answer of a new session to a start and a decision.
static int64_t decided(const char *start, const char *view, const char *actions) {
    struct arena_session session = {decide, NULL};
    char message[LONGEST_PATH];
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

int main(int count, char **words) {
    if (count > 2 && strcmp(words[1], "vectors") == 0) {
        return vectors(count - 2, words + 2);
    }
    kosmos_is_played();
    ravensburger_is_played();
    anything_is_played();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
