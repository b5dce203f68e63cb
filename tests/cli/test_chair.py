"""A player's chair: what is told, what may be chosen, and when a choice is final."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from dealt_table import CODE, DealtTable, listen, play_until

from cli.ui.boards import board
from cli.ui.chair import Chair, table_code
from cli.ui.choice import Choice
from cli.ui.look import Look
from cli.ui.messages import language
from cli.ui.plain import Plain
from cli.ui.scene import scene_of
from cli.ui.screen import page
from cli.ui.story import DONE, PROVEN, Chat, Code, Story, last_round
from cli.ui.text import plain, text_of
from engine.bots import bot
from engine.cards import Seat
from engine.game import Drawn, Move, Shuffle, note
from engine.games.two_win import DIGIT, TwoWinView
from engine.shelf import FOLDERS, find
from p2p import events
from p2p.errors import Fault, LocalError, Rule
from p2p.events import Why
from p2p.identity import Identity
from p2p.net.driver import Driver, Happened, News, Stopped
from p2p.seating import Proposal, rules_digest
from p2p.states import Stage
from p2p.table import Packet, Table

ENGLISH = Look(language("en"))


def seated(game: str = "2win", players: int = 3, seed: int = 5) -> tuple[DealtTable, Chair]:
    table = DealtTable(find(game), players, seed)
    chair = table.start()
    listen(chair)
    return table, chair


def names(story: Story) -> list[str]:
    return [entry.told.name for entry in story.log]


class TestTheChoice:
    def test_it_can_be_changed_freely_until_it_is_sent(self) -> None:
        """Chosen, changed, taken back, chosen again: nothing leaves before `commit`."""
        table, chair = seated()
        first, second = chair.moves[:2]
        for move in (first, second, None, first):
            chair.choose(move)
            assert chair.choice == move
            assert table.played == []
        chair.commit()
        assert table.played == [first]

    def test_it_can_never_be_changed_after_that(self) -> None:
        """Not chosen anew, not taken back, not sent twice, until the next decision is asked for."""
        table, chair = seated()
        chair.choose(chair.moves[0])
        sent = chair.moves[0]
        table.held_up = True
        chair.commit()
        listen(chair)
        for attempt in (lambda: chair.choose(sent), lambda: chair.choose(None), chair.commit):
            with pytest.raises(LocalError) as trouble:
                attempt()
            assert trouble.value.name == "already_sent"
        assert chair.moves == ()
        assert (chair.sent, chair.choice) == (sent, None)
        assert board(scene_of(chair), ENGLISH).refusal(None) == note("already_sent")

    def test_only_legal_moves_when_asked(self) -> None:
        """An illegal move, a move out of turn and an empty one are refused, each with its reason."""
        table, chair = seated()
        with pytest.raises(LocalError, match="no_move"):
            chair.commit()
        with pytest.raises(LocalError, match="illegal_move"):
            chair.choose(Move("pass", (chair.moves[0].slots[0], chair.moves[1].slots[0])))
        play_until(table, lambda chair: False)
        for attempt in (lambda: chair.choose(None), chair.commit):
            with pytest.raises(LocalError, match="not_asked"):
                attempt()

    def test_a_refusal_gives_the_decision_back(self) -> None:
        """If the table could not take it, the reason is there and another choice can be made."""
        table, chair = seated()
        chair.choose(chair.moves[0])
        table.refusing = LocalError("illegal_move", move=chair.moves[0])
        chair.commit()
        listen(chair)
        assert chair.story.refused == note("illegal_move")
        assert chair.asked
        chair.choose(chair.moves[1])

    def test_the_choice_survives_no_new_question(self) -> None:
        """What was chosen for one step is not chosen for the next."""
        _, chair = seated()
        chair.choose(chair.moves[0])
        chair.tell(Happened(events.Opened(1, 7, Stage.COMMIT, (Seat(1),)), 1.5), None)
        listen(chair)
        assert chair.choice is None


class TestTheStory:
    def test_my_own_cards_are_told_to_me_alone(self) -> None:
        """Drawn and passed cards are named where they are mine; of others only the number is known."""
        table, chair = seated()
        assert chair.view is not None
        (drawn,) = (entry.told for entry in chair.story.log if entry.told.name == "drew_cards")
        assert sorted(drawn["cards"]) == sorted(card for _, card in chair.view.hand)
        assert names(chair.story).count("drew") == 2
        given = chair.view.hand[0][1]
        play_until(table, lambda chair: "gave" in names(chair.story), lambda view: Move("pass", (view.hand[0][0],)))
        told = {entry.told.name: entry.told for entry in chair.story.log}
        assert told["gave"]["card"] == given
        assert told["received"]["card"] in [card for _, card in chair.view.hand]
        assert "passed" in told

    def test_a_whole_game_is_told_in_order(self) -> None:
        """Rounds, numbers, each draw with its letter, the result; and what happened beneath it."""
        table, chair = seated("2win", 4)
        play_until(table, lambda chair: False)
        story = chair.story
        assert story.over is not None
        rounds = [entry.told["round"] for entry in story.log if entry.told.name == "round"]
        assert rounds == list(range(1, len(rounds) + 1))
        assert {"draw_a", "draw_b", "number", "seated", "shuffled_by", "shuffles_proven"} <= set(names(story))
        assert last_round(story.log)[0].told["round"] == rounds[-1]
        assert story.code == CODE
        assert {state for _, state in story.shuffle} == {PROVEN}
        assert story.proofs > 50
        assert story.milliseconds == pytest.approx(sum(deed.milliseconds for deed in story.deeds), rel=0.6)

    def test_the_shuffle_is_followed_seat_by_seat(self) -> None:
        """Waiting, at work, done, proven; one's own needs no proof."""
        table = DealtTable(find("2win"), 3, 1)
        chair = table.start()
        seen = []
        while chair.next() is not None and not any(name == "drew_cards" for name in names(chair.story)):
            state = tuple(how for _, how in chair.story.shuffle)
            if state and (not seen or seen[-1] != state):
                seen.append(state)
        assert seen == [
            ("works", "waits", "waits"),
            (DONE, "waits", "waits"),
            (DONE, "works", "waits"),
            (DONE, PROVEN, "waits"),
            (DONE, PROVEN, "works"),
            (DONE, PROVEN, DONE),
            (PROVEN, PROVEN, PROVEN),
        ]

    def test_who_is_waited_for_is_known(self) -> None:
        """The open step's authors less those who have spoken, and whose choice is sealed."""
        _, chair = seated()
        assert chair.story.waiting == (1,)
        assert set(chair.story.sealed) == {0, 2}

    def test_what_went_wrong_is_told(self) -> None:
        """Lost, back, gone and why, a minority, an accusation, silence, a step taken back, a broken program."""
        _, chair = seated()
        told = [
            events.Lost(Seat(0), 99.0),
            events.Back(Seat(0)),
            events.Lost(Seat(2), 99.0),
            events.Voting((Seat(2),)),
            events.Gone(((Seat(2), Why.LOST), (Seat(0), Why.GOODBYE)), (Seat(1),), True),
            events.Silent((Seat(0),)),
            events.Silent(()),
            events.Accused(Fault(Seat(0), Rule.BAD_PASS, 0, 9, (b"signed",))),
            events.VotedOut(),
        ]
        before = len(chair.story.log)
        for at, event in enumerate(told):
            chair.tell(Happened(event, at + 0.5), None)
        listen(chair)
        story = chair.story
        expected = ["lost", "back", "lost", "voting", "went_lost", "went_goodbye", "minority", "silent", "accused"]
        assert names(story)[before:] == [*expected, "voted_out"]
        assert story.lost == ()
        assert set(story.gone) == {0, 2}
        assert story.watching
        assert not chair.asked
        assert story.fault is not None
        chair.tell(Chat("Ada", "hello"), None)
        chair.tell(Code("other-words"), None)
        chair.tell(Stopped("disk full"), None)
        listen(chair)
        assert chair.story.log[-1].told == note("chat", name="Ada", text="hello")
        assert (chair.story.code, chair.story.stopped, chair.story.ended) == ("other-words", "disk full", True)

    def test_a_step_taken_back_takes_its_lines_with_it(self) -> None:
        """What came after it is void: it is told no longer."""
        table, chair = seated()
        play_until(table, lambda chair: names(chair.story).count("round") == 2)
        place = next(entry.place for entry in chair.story.log if entry.told.name == "number")
        chair.tell(Happened(events.TakenBack(*place), 9.0), None)
        listen(chair)
        assert names(chair.story)[-1] == "taken_back"
        assert "number" not in names(chair.story)
        assert "round" in names(chair.story)

    def test_the_departed_are_told_once_with_the_reason(self) -> None:
        """The rules' own line about who is gone would only repeat it."""
        story = Story(names=("a", "b"), me=Seat(0), gone=(Seat(1),))
        booked = events.Booked(Shuffle((), (), ()), Drawn(), (note("gone", seats=(1,)), note("round", round=2)), None)
        assert names(story.after(Happened(booked, 1.0), None)) == ["round"]


class TestTheBoards:
    def test_illegal_choices_are_explained(self) -> None:
        """A sentence for every card that cannot be picked, and for every moment nothing can."""
        table, chair = seated()

        def cramped(chair: Chair) -> bool:
            view = chair.view
            forming = bool(chair.moves) and chair.moves[0].kind == "form"
            return forming and isinstance(view, TwoWinView) and any(not one.may for one in scene_of(chair).hand)

        play_until(table, cramped)
        scene = scene_of(chair)
        shown = board(scene, ENGLISH)
        low = next(one for one in scene.hand if not one.may)
        assert shown.refusal(low.slot).name == "too_low_for_tens"
        assert isinstance(chair.view, TwoWinView)
        tens = min((move.slots[0] for move in chair.moves), key=lambda slot: DIGIT[dict(scene.view.hand)[slot]])
        scene = replace(scene, choice=Choice((tens,)))
        for one in scene.hand:
            if not one.may:
                told = board(scene, ENGLISH).refusal(one.slot)
                assert told.name == "number_too_low"
                assert told["number"] <= told["last"] == chair.view.last
        assert board(scene, ENGLISH).refusal(None).name == "not_complete"

    def test_another_players_turn_is_explained(self) -> None:
        """Whose turn it is; and that nothing can be chosen before the cards are out."""
        table = DealtTable(find("2sans3"), 3, 2)
        chair = table.start()
        assert board(scene_of(chair), ENGLISH).refusal(None) == note("nothing_to_choose")
        while chair.story.stage is not Stage.PLAY:
            chair.next()
        told = board(scene_of(chair), ENGLISH).refusal(None)
        assert told == note("not_your_turn", seat=0)

    def test_what_a_card_would_take_is_what_it_then_takes(self) -> None:
        """2 SANS 3: the outcome shown before playing is the one that follows."""
        _, chair = seated("2sans3", 2, 3)
        checked = 0
        while not chair.story.ended:
            shown = board(replace(scene_of(chair), cursor=0), ENGLISH)
            card = scene_of(chair).hand[0]
            promised = dict(shown.view.outcomes)[card.slot]
            before = len(chair.story.log)
            chair.choose(Move("play", (card.slot,)))
            chair.commit()
            listen(chair)
            told = {entry.told.name: entry.told for entry in reversed(chair.story.log[before:])}
            assert told["placed"]["card"] == promised.card
            took = [e.told["cards"] for e in chair.story.log[before:] if e.told.name == "took" and e.told["seat"] == 1]
            assert (took[0] if took else ()) == promised.takes
            checked += bool(promised.takes)
        assert checked > 3

    def test_a_game_nobody_has_drawn_a_board_for_can_be_played(self) -> None:
        """The toy game of the tests, on screen and in lines: names, hands, log, a number after the card, the end."""
        game = find("ladder", (*FOLDERS, str(Path(__file__).parents[1] / "games")))
        table = DealtTable(game, 3, 0)
        table.start()
        frames: list[str] = []
        lines: list[str] = []

        def read() -> str:
            frames.append(plain(page(scene_of(table.chair), ENGLISH, 80, 24)))
            return "1"

        Plain(table.chair, ENGLISH, read=read, write=lines.append).play()
        assert any("Choose a card" in frame for frame in frames)
        assert all("▸You" in frame for frame in frames)
        assert any(line.startswith("topped: seat Ada, card") for line in lines)
        assert lines[-4:-1] == ["last on the ladder: seats you", "1. You", "2. Ada"]
        end = plain(page(scene_of(table.chair), ENGLISH, 80, 24))
        assert "Game over" in end
        assert "Nobody has written" in plain(page(replace(scene_of(table.chair), page="rules"), ENGLISH, 80, 24))

    @pytest.mark.parametrize(("name", "players"), [("2win", 4), ("2sans3", 3)])
    def test_a_spectator_sees_what_is_public(self, name: str, players: int) -> None:
        """Without a seat: the whole table, no hand, nothing to choose."""
        table, chair = seated(name, players)
        play_until(table, lambda chair: len(chair.story.log) > 60)
        assert chair.view is not None
        watched = table.game.view(chair.view.state, None, {})
        scene = replace(scene_of(chair), view=watched, moves=(), story=replace(chair.story, me=None))
        shown = plain(page(scene, ENGLISH, 80, 24))
        assert shown.count("You are watching.") == 2
        assert "You" not in shown.replace("You are watching.", "").split("Log")[0]
        assert scene.hand == ()
        assert board(scene, ENGLISH).spoken()

    def test_draws_appear_one_by_one(self) -> None:
        """With a line of the log comes its letter; before, neither is there; a new round begins without any."""
        table, chair = seated("2win", 3)
        play_until(table, lambda chair: names(chair.story).count("round") == 4)
        scene = scene_of(chair)
        seen = set()
        for shown in range(len(scene.story.log) + 1):
            part = replace(scene, shown=shown)
            told = [entry.told.name for entry in last_round(part.log)]
            row = next(text_of(one) for one in board(part, ENGLISH).table(80, 10) if text_of(one).startswith("draws"))
            assert sorted(row.split()[1:]) == sorted(name[-1].upper() for name in told if name.startswith("draw_"))
            seen.update(row.split()[1:])
        assert {"A", "B"} <= seen


def test_the_chair_is_the_same_over_the_networks_driver() -> None:
    """Two real tables, each in a driver as on the network: one chair plays through its driver to the end."""

    async def game() -> Chair:
        rules = find("2win")
        chance = Random(8)
        thinks = bot("greedy", rules, chance)
        people = sorted((Identity(chance.randbytes(32)) for _ in range(2)), key=lambda one: one.public)
        members = tuple(bytes(one.public) for one in people)
        proposal = Proposal(rules.id, rules_digest(rules), (), members, chance.randbytes(32))
        over = asyncio.Event()

        def table(number: int) -> Table:
            return Table(proposal, rules, identity=people[number], seed=chance.randbytes(32), name=f"p{number}")

        def mine(news: News) -> None:
            chair.tell(news, one.view)
            while (told := chair.next()) is not None:
                if isinstance(told, Happened) and isinstance(told.event, events.Seated):
                    chair.tell(Code(table_code(one.table)), None)
            if chair.asked and chair.view is not None:
                chair.choose(thinks(chair.view))
                chair.commit()
            if chair.story.ended:
                over.set()

        def theirs(news: News) -> None:
            if isinstance(news, Happened) and isinstance(news.event, events.Asked):
                assert other.view is not None
                other.play(thinks(other.view))

        def to_other(packet: Packet) -> None:
            other.receive(packet.data, people[0].public)

        def to_one(packet: Packet) -> None:
            one.receive(packet.data, people[1].public)

        one = Driver(table(0), send=to_other, tell=mine)
        other = Driver(table(1), send=to_one, tell=theirs)
        chair = Chair(rules, one)
        for driver in (one, other):
            driver.start()
        await asyncio.wait_for(over.wait(), 60)
        for driver in (one, other):
            await driver.stop()
        return chair

    chair = asyncio.run(game())
    assert chair.story.over is not None
    assert chair.story.code.count("-") == 5
    assert chair.story.proofs > 10
    assert {"drew_cards", "gave", "received", "number"} <= set(names(chair.story))
