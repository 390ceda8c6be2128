"""Two ends that number their frames lose none and double none, whatever is lost between them."""

from __future__ import annotations

import random

import pytest

from arena.gateway.numbered import KEPT, NumberedFrames


def settle(author: NumberedFrames, forwarder: NumberedFrames, came: dict) -> None:
    """Connect the two ends anew."""
    ways = [(forwarder, author.question())]
    while ways:
        to, data = ways.pop(0)
        parts, answers = to.take(data)
        if parts is not None:
            came[to].append(parts)
        ways += [(author if to is forwarder else forwarder, each) for each in answers]


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_lost_comes_after_the_next_connection(seed):
    chance = random.Random(seed)
    author, forwarder = NumberedFrames(7), NumberedFrames()
    sent, came = {author: [], forwarder: []}, {author: [], forwarder: []}
    for number in range(200):
        source, to = chance.choice([(author, forwarder), (forwarder, author)])
        if not sent[author]:
            source, to = author, forwarder
            settle(author, forwarder, came)
        parts = [b"%d" % number]
        sent[source].append(parts)
        data = source.pack(parts)
        if chance.random() < 0.7:
            parts, _ = to.take(data)
            if parts is not None:
                came[to].append(parts)
        if number % 20 == 19:
            settle(author, forwarder, came)
    settle(author, forwarder, came)
    assert (came[forwarder], came[author]) == (sent[author], sent[forwarder])


def test_a_new_process_of_the_author_begins_anew():
    forwarder, old, new = NumberedFrames(), NumberedFrames(1), NumberedFrames(2)
    forwarder.take(old.question())
    assert forwarder.take(old.pack([b"hello"]))[0] == [b"hello"]
    late = old.pack([b"late"])
    forwarder.take(new.question())
    assert forwarder.take(late) == (None, [])
    assert forwarder.take(new.pack([b"hello"]))[0] == [b"hello"]


def test_a_hole_is_asked_for_again_and_ever_more_seldom():
    author, forwarder = NumberedFrames(1), NumberedFrames()
    forwarder.take(author.question())
    lost, *others = [author.pack([b"%d" % number]) for number in range(10)]
    answers = [forwarder.take(each)[1] for each in others]
    assert [len(each) for each in answers] == [1, 1, 0, 1, 0, 0, 0, 1, 0]
    assert len(author.take(answers[0][0])[1]) == 10
    assert forwarder.take(lost)[0] == [b"0"]


@pytest.mark.parametrize("lost", range(5))
def test_what_is_lost_when_it_is_said_again_is_asked_for_at_a_later_frame(lost):
    author, forwarder = NumberedFrames(1), NumberedFrames()
    forwarder.take(author.question())
    author.pack([b"0"])  # is lost
    number, asked = 0, list[bytes]()
    while len(asked) <= lost and number < KEPT:
        number += 1
        asked += forwarder.take(author.pack([b"%d" % number]))[1]
    came = [forwarder.take(again)[0] for again in author.take(asked[lost])[1]]
    assert came == [[b"%d" % each] for each in range(number + 1)]


def test_no_more_is_kept_than_the_bound():
    author = NumberedFrames(1)
    for number in range(10 * KEPT):
        author.pack([b"%d" % number])
    forwarder = NumberedFrames()
    forwarder.take(author.question())
    assert len(author.take(forwarder.question())[1]) == KEPT + 1


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x90", b"\xff" * 9, b"\x94\x01\x02\x03\xc0", b"\x93\xa1\xff\x02\x03"])
def test_what_is_no_packet_is_refused(data):
    with pytest.raises(ValueError, match=r"\w"):
        NumberedFrames(1).take(data)
