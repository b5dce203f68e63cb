"""2 WIN: form ever higher two-digit numbers, earn cards with them, be the last who can go on. For 2 to 6 players.

Law: public facts only. No card is ever looked up but one that lies open or is handed in as `known`.

A round has three steps, all players at once: pass one card to the left, form a number, draw what it earned. The names
of the notes this game gives out, for whoever words them:

    news     round(round)  drew(seat, count)  passed(seats: giver, receiver)  gone(seats)
             number(seat, number, cards, tens_run, units_run: how many of one colour in a row, 3 completes)
             draw_a(seat, number)  draw_b(seat, stars)  draw_c(seat, number)  draw_d(seat, column, colour)
             reshuffled(count)  draws_lost(seats, count)
             out_no_card(seat)  out_one_card(seat, count)  out_no_number(seat, number, count)
    reasons  last_player(seat)  forfeit(seat)  most_cards(seat, count)  lowest_number(seat, count, number)
             shared(seats, count, number)  abandoned
    details  result(seat, how, round, count, number)   how: "in" or why it is out, as in the news; when; with what
    illegal  not_a_number  number_too_low(number, last)  just_received  not_your_place(seat)
    columns  "tens" "units";  colours  see COLOURS
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, ClassVar, NamedTuple

from engine.cards import Card, CardId, Seat, Slot
from engine.game import (
    Cannot,
    Choose,
    Chosen,
    Claim,
    Claimed,
    Clause,
    Draw,
    Drawn,
    Fact,
    Game,
    Gift,
    IllegalMove,
    Leave,
    Left,
    Move,
    Need,
    Note,
    Over,
    Pass,
    Passed,
    Played,
    Shuffle,
    Shuffled,
    View,
    checked_need,
    checked_settings,
    note,
)

# --- the data the rules rest on -----------------------------------------------------------------------------------

COLOURS = ("blue", "pink", "green")
DIGITS = range(1, 10)
#: Stars of the four copies of every colour and digit. No published source gives the split; this one is ours.
STARS = (0, 0, 1, 2)
DEALT = 9
#: Numbers of an active player that stay on the table when the pile is rebuilt.
LEFT_LYING = 5
#: So many cards of one colour in one column, in consecutive rounds, earn a card.
FULL_RUN = 3


class Face(NamedTuple):
    colour: int  # index into COLOURS
    digit: int
    stars: int


FACES = tuple(Face(colour, digit, stars) for colour in range(len(COLOURS)) for digit in DIGITS for stars in STARS)
#: By card id, which starts at 1; the entry 0 is no card.
COLOUR = (-1, *(face.colour for face in FACES))
DIGIT = (0, *(face.digit for face in FACES))
STAR = (0, *(face.stars for face in FACES))


def number_of(tens: CardId, units: CardId) -> int:
    return 10 * DIGIT[tens] + DIGIT[units]


# --- the public state ---------------------------------------------------------------------------------------------


class Run(NamedTuple):
    """How many cards of one colour lie on top of a column since the last completed run: 0, 1 or 2."""

    colour: int
    length: int


NO_RUN = Run(-1, 0)


class Player(NamedTuple):
    hand: tuple[Slot, ...]
    numbers: tuple[tuple[CardId, CardId], ...]  # (tens, units) still on the table, oldest first
    last: int  # the last number formed, 0 before the first
    tens: Run
    units: Run
    how: str  # "" while in, else why it is out: the name of the news
    fell: int  # 0 while in, else which fall it was, the first is 1; seats that fell together have the same
    round: int  # the round in which it fell
    held: int  # cards in hand when it fell


class Reveal(NamedTuple):
    """A number revealed this round. It counts for comparison even if its player has gone since."""

    seat: Seat
    number: int
    stars: int
    runs: tuple[str, ...]  # the columns in which it completed a run


@dataclass(frozen=True, slots=True)
class State:
    players: tuple[Player, ...]
    round: int
    stage: str  # "shuffle" "deal" "pass" "check" "form" "draw" "over"
    wants: Need
    pile: tuple[Slot, ...]  # top first
    aside: tuple[Slot, ...]  # hands handed over, until the next rebuilt pile takes them in
    fresh: Slot  # the first place number never used
    leaving: tuple[Seat, ...]  # out by the rules, hand not yet handed over
    gifts: tuple[Gift, ...]  # this round's
    claims: tuple[tuple[Seat, bool], ...]  # this round's
    revealed: tuple[Reveal, ...]  # this round's
    owed: tuple[Seat, ...]  # one entry per card still to be drawn, in the order of drawing
    news: tuple[Note, ...]


#: The six names under which a screen shows the stages.
STEPS: Mapping[str, int] = {"shuffle": 0, "deal": 0, "pass": 1, "check": 2, "form": 2, "draw": 3, "over": 0}


# --- rules without state ------------------------------------------------------------------------------------------


def grow(run: Run, colour: int) -> tuple[Run, int]:
    """The column's run after a card of this colour, and how long the run was with it. A full run starts afresh."""
    length = run.length + 1 if run.colour == colour else 1
    return (NO_RUN if length == FULL_RUN else Run(colour, length)), length


def cannot_exceed(last: int) -> tuple[Clause, ...]:
    """ "No two cards form more than `last`", about the hand's digits with the largest first.

    With last = 10a+b: either every digit is below a, or the largest is at most a and no other exceeds a or b. Where b
    is at least a-1 the second clause covers the first.
    """
    a, b = divmod(last, 10)
    low = tuple(range(1, min(a, b) + 1))
    clauses = [Clause(tuple(range(1, a + 1)), low)]
    if b < a - 1:
        below = tuple(range(1, a))
        clauses.insert(0, Clause(below, below))
    return tuple(clauses)


@cache
def form(tens: Slot, units: Slot) -> Move:
    return Move("form", (tens, units))


@cache
def give(slot: Slot) -> Move:
    return Move("pass", (slot,))


#: Judgement, not rules: what things are worth to the bots, in hundredths of a card drawn.
CARD = 100
RUN_COMPLETED, RUN_CONTINUED, STAR_SHOWN = 130, 35, 48
#: Climbing from wherever one is up to `ROOM_TOP`, which lies above 99 so that the last steps do not look too dear.
ROOM, ROOM_TOP = 500, 114


# --- what a seat sees ---------------------------------------------------------------------------------------------


class Earned(NamedTuple):
    """What a number is sure to earn, and its stars, which may earn more."""

    number: int
    stars: int
    equal: bool
    runs: tuple[str, ...]

    @property
    def sure(self) -> int:
        return self.equal + len(self.runs)


@dataclass(frozen=True)
class TwoWinView(View):
    state: State

    @property
    def players(self) -> tuple[Player, ...]:
        """By seat: hand places (their number is public), numbers on the table, runs, in or out."""
        return self.state.players

    @property
    def round(self) -> int:
        return self.state.round

    @property
    def step(self) -> int:
        """1 pass, 2 form, 3 draw; 0 before the first round and after the last."""
        return STEPS[self.state.stage]

    @property
    def pile(self) -> int:
        return len(self.state.pile)

    @property
    def last(self) -> int:
        return 0 if self.seat is None else self.state.players[self.seat].last

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Cards in hand, by seat."""
        return tuple(len(player.hand) for player in self.state.players)

    @cached_property
    def cards(self) -> Mapping[Slot, CardId]:
        return dict(self.hand)

    @cached_property
    def numbers(self) -> tuple[tuple[int, Move], ...]:
        """Every legal number of this seat now with the move that forms it, ascending."""
        return tuple(sorted((self.earned(move).number, move) for move in self.moves if move.kind == "form"))

    # Kept here to judge many numbers fast: what each own card is worth in a column, whatever stands beside it.

    @cached_property
    def as_tens(self) -> Mapping[Slot, int]:
        return {} if self.seat is None else appeal(self.hand, self.players[self.seat].tens, self.last, 10)

    @cached_property
    def as_units(self) -> Mapping[Slot, int]:
        return {} if self.seat is None else appeal(self.hand, self.players[self.seat].units, self.last, 1)

    def earned(self, move: Move) -> Earned:
        """What this number would show and surely earn, whatever the others form."""
        assert self.seat is not None
        player = self.state.players[self.seat]
        tens, units = (self.cards[slot] for slot in move.slots)
        runs = []
        if grow(player.tens, COLOUR[tens])[1] == FULL_RUN:
            runs.append("tens")
        if grow(player.units, COLOUR[units])[1] == FULL_RUN:
            runs.append("units")
        return Earned(number_of(tens, units), STAR[tens] + STAR[units], DIGIT[tens] == DIGIT[units], tuple(runs))


# --- the game -----------------------------------------------------------------------------------------------------


class TwoWin(Game[State]):
    id = "2win"
    version = 1
    seats = range(2, 7)
    deck = tuple(Card(CardId(number), (face.digit,)) for number, face in enumerate(FACES, 1))
    attributes = ("digit",)
    tables: ClassVar[Mapping[str, Any]] = {
        "colours": COLOURS,
        "faces": FACES,
        "dealt": DEALT,
        "left_lying": LEFT_LYING,
        "full_run": FULL_RUN,
    }

    def start(self, seats: int, settings: Mapping[str, Any]) -> State:
        checked_settings(self, seats, settings)
        player = Player((), (), 0, NO_RUN, NO_RUN, "", 0, 0, 0)
        return State((player,) * seats, 0, "shuffle", _SHUFFLE, (), (), Slot(0), (), (), (), (), (), ())

    def need(self, state: State) -> Need:
        return state.wants

    def apply(self, state: State, fact: Fact) -> State:
        need = checked_need(self, state, fact)
        desk = _Desk(state)
        match need, fact:
            case Shuffle(), Shuffled():
                desk.shuffled(need)
            case Draw(), Drawn():
                desk.drawn(need, fact.seats)
            case Pass(), Passed():
                desk.passed(fact.gifts)
            case Claim(), Claimed():
                desk.claims += fact.answers
            case Leave(), Left():
                desk.hand_over(fact.seats)
            case Choose(), Chosen():
                desk.chosen(fact.played)
        desk.departed(fact.gone)
        return desk.go_on()

    def moves(self, state: State, seat: Seat, known: Mapping[Slot, CardId]) -> tuple[Move, ...]:
        need = state.wants
        player = state.players[seat]
        if isinstance(need, Choose):
            if seat not in need.seats:
                return ()
            last = player.last
            cards = [(slot, DIGIT[known[slot]]) for slot in player.hand if slot in known]
            return tuple(
                [
                    form(tens, units)
                    for tens, ten in cards
                    for units, unit in cards
                    if 10 * ten + unit > last and tens != units
                ]
            )
        if isinstance(need, Pass) and any(giver == seat for giver, _ in need.ring):
            received = [gift.slot for gift in state.gifts]
            return tuple([give(slot) for slot in player.hand if slot in known and slot not in received])
        return ()

    def view(self, state: State, seat: Seat | None, known: Mapping[Slot, CardId]) -> TwoWinView:
        if seat is None:
            return TwoWinView(self.id, None, state, state.wants, (), ())
        hand = tuple([(slot, known[slot]) for slot in state.players[seat].hand if slot in known])
        return TwoWinView(self.id, seat, state, state.wants, hand, self.moves(state, seat, known))

    def hands(self, state: State) -> tuple[tuple[Slot, ...], ...]:
        return tuple([player.hand for player in state.players])

    def face_down(self, state: State) -> tuple[Slot, ...]:
        return state.pile + state.aside

    def open_cards(self, state: State) -> tuple[CardId, ...]:
        if state.fresh == 0:  # before the shuffle the whole deck lies open
            return _SHUFFLE.cards
        return tuple([card for player in state.players for number in player.numbers for card in number])

    def playing(self, state: State) -> tuple[Seat, ...]:
        return tuple([Seat(seat) for seat, player in enumerate(state.players) if not player.how])

    def face(self, card: CardId) -> str:
        colour, digit, stars = FACES[card - 1]
        return f"{COLOURS[colour][0]}{digit}{'*' * stars}"

    # Judgement, not rules.

    def weigh(self, view: View, move: Move) -> float:
        """A number is worth the cards it earns or may earn, less the share of the room above that it uses up; of
        cards, the least is given away. The weights are those with which copies of this game beat each other."""
        assert isinstance(view, TwoWinView)
        if move.kind == "pass":
            card = view.cards[move.slots[0]]
            return -DIGIT[card] - 2 * STAR[card]
        tens, units = move.slots
        equal = DIGIT[view.cards[tens]] == DIGIT[view.cards[units]]
        return view.as_tens[tens] + view.as_units[units] + (CARD if equal else 0)

    def standing(self, state: State, seat: Seat) -> float:
        """The share of this seat in what carries a player on: cards in hand, as far as there is room above the last
        number to use them. The exponents are fitted to who won in games of greedy bots."""
        if isinstance(state.wants, Over):
            first = state.wants.ranking[0]
            return 1.0 / len(first) if seat in first else 0.0
        if state.players[seat].how:
            return 0.0
        return carried(state.players[seat]) / sum([carried(player) for player in state.players if not player.how])


def appeal(hand: Iterable[tuple[Slot, CardId]], run: Run, last: int, step: int) -> dict[Slot, int]:
    """What each card adds to a number's worth in a column with this run, where its digit counts `step`fold."""
    gain = [0] * len(COLOURS)
    if run.length:
        gain[run.colour] = RUN_COMPLETED if run.length == FULL_RUN - 1 else RUN_CONTINUED
    price = step * ROOM // (ROOM_TOP - last)
    return {slot: gain[COLOUR[card]] + STAR_SHOWN * STAR[card] - price * DIGIT[card] for slot, card in hand}


def carried(player: Player) -> float:
    cards = 1.0 + len(player.hand)
    return float(cards**2.4 * min(cards, 1 + (99 - player.last) / 5) ** 2.1)


_SHUFFLE = Shuffle((), tuple(card.id for card in TwoWin.deck), tuple(Slot(place) for place in range(len(TwoWin.deck))))


# --- one apply ----------------------------------------------------------------------------------------------------


class _Desk:
    """The working copy of a state inside one `apply`: changed freely, then frozen into the next state."""

    def __init__(self, state: State) -> None:
        self.players = list(state.players)
        self.round = state.round
        self.stage = state.stage
        self.pile = state.pile
        self.aside = state.aside
        self.fresh = state.fresh
        self.leaving = state.leaving
        self.gifts = state.gifts
        self.claims = state.claims
        self.revealed = state.revealed
        self.owed = state.owed
        self.news: list[Note] = []

    def go_on(self) -> State:
        """On through the stages until something is needed."""
        wants: Need | None = None
        while wants is None:
            wants = self.result() if len(self.playing()) < 2 else _STAGES[self.stage](self)
        return State(
            tuple(self.players),
            self.round,
            self.stage,
            wants,
            self.pile,
            self.aside,
            self.fresh,
            self.leaving,
            self.gifts,
            self.claims,
            self.revealed,
            self.owed,
            tuple(self.news),
        )

    def playing(self) -> list[Seat]:
        return [Seat(seat) for seat, player in enumerate(self.players) if not player.how]

    # Booking what a fact holds.

    def shuffled(self, need: Shuffle) -> None:
        if self.stage == "shuffle":
            self.stage = "deal"
            self.owed = tuple(self.playing()) * DEALT
        else:
            self.players = [p._replace(numbers=p.numbers[-LEFT_LYING:] if not p.how else ()) for p in self.players]
            self.aside = ()
            self.news.append(note("reshuffled", count=len(need.into)))
        self.pile = need.into
        self.fresh = Slot(need.into[-1] + 1)

    def drawn(self, need: Draw, seats: tuple[Seat, ...]) -> None:
        for seat, places in need.hands:
            if seat in seats:
                player = self.players[seat]
                self.players[seat] = player._replace(hand=player.hand + places)
                self.news.append(note("drew", seat=seat, count=len(places)))
        due = min(len(self.owed), len(self.pile))
        waits = [(place, seat) for place, seat in zip(self.pile, self.owed, strict=False) if seat not in seats]
        self.pile = (*(place for place, _ in waits), *self.pile[due:])
        self.owed = (*(seat for _, seat in waits), *self.owed[due:])

    def passed(self, gifts: tuple[Gift, ...]) -> None:
        received = {gift.slot for gift in self.gifts}
        for giver, _, slot in gifts:
            if slot in received:
                raise IllegalMove(giver, note("just_received"))
        for giver, receiver, slot in gifts:
            player = self.players[giver]
            self.players[giver] = player._replace(hand=tuple([place for place in player.hand if place != slot]))
            player = self.players[receiver]
            self.players[receiver] = player._replace(hand=(*player.hand, slot))
            self.news.append(note("passed", seats=(giver, receiver)))
        self.gifts += gifts

    def chosen(self, played: tuple[Played, ...]) -> None:
        for seat, move, cards in played:
            if move.kind != "form" or len(cards) != 2 or move.values:
                raise IllegalMove(seat, note("not_a_number"))
            number, last = number_of(*cards), self.players[seat].last
            if number <= last:
                raise IllegalMove(seat, note("number_too_low", number=number, last=last))
        for seat, move, cards in played:
            self.reveal(seat, move.slots, (cards[0], cards[1]))

    def reveal(self, seat: Seat, slots: tuple[Slot, ...], cards: tuple[CardId, CardId]) -> None:
        player = self.players[seat]
        number = number_of(*cards)
        tens, tens_run = grow(player.tens, COLOUR[cards[0]])
        units, units_run = grow(player.units, COLOUR[cards[1]])
        hand = tuple([place for place in player.hand if place not in slots])
        self.players[seat] = Player(hand, (*player.numbers, cards), number, tens, units, "", 0, 0, 0)
        runs = (("tens",) if tens_run == FULL_RUN else ()) + (("units",) if units_run == FULL_RUN else ())
        self.revealed += (Reveal(seat, number, STAR[cards[0]] + STAR[cards[1]], runs),)
        self.news.append(note("number", seat=seat, number=number, cards=cards, tens_run=tens_run, units_run=units_run))

    def hand_over(self, seats: Iterable[Seat]) -> None:
        for seat in seats:
            self.aside += self.players[seat].hand
            self.players[seat] = self.players[seat]._replace(hand=())
        self.leaving = tuple([seat for seat in self.leaving if seat not in seats])

    def departed(self, gone: tuple[Seat, ...]) -> None:
        if not gone:
            return
        self.news.append(note("gone", seats=gone))
        self.fall({seat: "gone" for seat in gone if not self.players[seat].how})
        self.owed = tuple([seat for seat in self.owed if seat not in gone])
        self.hand_over(gone)

    def fall(self, how: Mapping[Seat, str]) -> None:
        """These seats are out, all at once."""
        nth = 1 + max(player.fell for player in self.players)
        for seat, why in how.items():
            player = self.players[seat]
            self.players[seat] = player._replace(how=why, fell=nth, round=self.round, held=len(player.hand))

    def drop(self, how: Mapping[Seat, str]) -> None:
        """These seats drop out by the rules and have to hand over."""
        if not how:
            return
        self.fall(how)
        self.leaving = tuple(how)
        for seat, why in how.items():
            player = self.players[seat]
            if why == "out_no_card":
                self.news.append(note(why, seat=seat))
            elif why == "out_one_card":
                self.news.append(note(why, seat=seat, count=len(player.hand)))
            else:
                self.news.append(note(why, seat=seat, number=player.last, count=len(player.hand)))

    # The stages: each returns what it needs, or None once it has moved on to the next.

    def at_shuffle(self) -> Need:
        return _SHUFFLE

    def at_deal(self) -> Need | None:
        if self.owed:
            return self.draw()
        self.next_round()
        return None

    def next_round(self) -> None:
        """Who has no card to pass drops out before the ring is built."""
        self.round += 1
        self.stage = "pass"
        self.gifts, self.claims, self.revealed, self.owed = (), (), (), ()
        self.news.append(note("round", round=self.round))
        self.drop({seat: "out_no_card" for seat in self.playing() if not self.players[seat].hand})

    def at_pass(self) -> Need | None:
        if self.leaving:
            return Leave(self.leaving)
        ring = self.playing()
        given = [gift.giver for gift in self.gifts]
        pairs = zip(ring, ring[1:] + ring[:1], strict=True)
        waits = tuple([pair for pair in pairs if pair[0] not in given]) if given else tuple(pairs)
        if waits:
            return Pass(waits)
        self.stage = "check"
        return None

    def at_check(self) -> Need | None:
        """Whoever can form a number has to; all who cannot drop out together."""
        playing = self.playing()
        answered = dict(self.claims)
        asked = [
            Cannot(seat, 0, cannot_exceed(self.players[seat].last))
            for seat in playing
            if self.players[seat].last and seat not in answered and len(self.players[seat].hand) >= 2
        ]
        if asked:
            return Claim(tuple(asked))
        how = {}
        for seat in playing:
            if len(self.players[seat].hand) < 2:
                how[seat] = "out_one_card"
            elif not answered.get(seat, True):
                how[seat] = "out_no_number"
        self.drop(how)
        self.stage = "form"
        return None

    def at_form(self) -> Need | None:
        if self.leaving:
            return Leave(self.leaving)
        shown = [reveal.seat for reveal in self.revealed]
        waits = tuple([seat for seat in self.playing() if seat not in shown])
        if waits:
            return Choose(waits)
        self.stage = "draw"
        self.owed = self.earnings()
        return None

    def earnings(self) -> tuple[Seat, ...]:
        """Who draws for this round's numbers, one entry per card, in the order of drawing."""
        highest = max([reveal.number for reveal in self.revealed])
        most = max([reveal.stars for reveal in self.revealed])
        count = [0] * len(self.players)
        tell = self.news.append
        for seat, number, stars, runs in self.revealed:
            if self.players[seat].how:
                continue
            if number == highest:
                count[seat] += 1
                tell(note("draw_a", seat=seat, number=number))
            if stars == most > 0:
                count[seat] += 1
                tell(note("draw_b", seat=seat, stars=stars))
            if number % 11 == 0:
                count[seat] += 1
                tell(note("draw_c", seat=seat, number=number))
            for column in runs:
                count[seat] += 1
                top = self.players[seat].numbers[-1][column == "units"]
                tell(note("draw_d", seat=seat, column=column, colour=COLOURS[COLOUR[top]]))
        first = (self.round - 1) % len(count)
        order = [*range(first, len(count)), *range(first)]
        return tuple([Seat(seat) for lap in range(max(count)) for seat in order if count[seat] > lap])

    def at_draw(self) -> Need | None:
        if not self.owed:
            self.next_round()
            return None
        if self.pile:
            return self.draw()
        cards: list[CardId] = []
        for player in self.players:
            for number in player.numbers if player.how else player.numbers[:-LEFT_LYING]:
                cards += number
        size = len(cards) + len(self.aside)
        if size:
            into = range(self.fresh, self.fresh + size)
            return Shuffle(self.aside, tuple(sorted(cards)), tuple(map(Slot, into)))
        losers = tuple(sorted(set(self.owed)))
        self.news.append(note("draws_lost", seats=losers, count=len(self.owed)))
        self.owed = ()
        return None

    def draw(self) -> Draw:
        places: dict[Seat, list[Slot]] = {}
        for seat, place in zip(self.owed, self.pile, strict=False):
            places.setdefault(seat, []).append(place)
        return Draw(tuple([(seat, tuple(places[seat])) for seat in sorted(places)]))

    # The end.

    def result(self) -> Over:
        self.stage = "over"
        players = self.players
        playing = self.playing()
        latest = max([player.fell for player in players])
        together = [Seat(seat) for seat, player in enumerate(players) if player.fell == latest]
        abandoned = players[together[0]].how == "gone"

        def rank(seat: Seat) -> tuple[int, ...]:
            player = players[seat]
            if not player.how:
                return (0,)
            if player.how == "gone":
                return (2, -player.fell)
            if player.fell == latest and not playing:  # all who were left fell together: hands decide, then numbers
                return (1, -player.fell, -len(player.hand), player.last)
            return (1, -player.fell)

        groups: dict[tuple[int, ...], list[Seat]] = {}
        for seat in sorted(map(Seat, range(len(players))), key=rank):
            groups.setdefault(rank(seat), []).append(seat)
        ranking = tuple([tuple(group) for group in groups.values()])
        if playing:
            reason = note("forfeit" if abandoned else "last_player", seat=playing[0])
        elif abandoned:
            reason = note("abandoned")
        else:
            reason = self.tie_break(ranking[0], together)
        return Over(ranking, reason, tuple([self.detail(seat) for group in ranking for seat in group]))

    def detail(self, seat: Seat) -> Note:
        player = self.players[seat]
        if player.how:
            how, round, count = player.how, player.round, player.held
        else:
            how, round, count = "in", self.round, len(player.hand)
        return note("result", seat=seat, how=how, round=round, count=count, number=player.last)

    def tie_break(self, winners: Sequence[Seat], together: Sequence[Seat]) -> Note:
        """Why the best of those who fell together in the end won."""
        best = self.players[winners[0]]
        count, number = len(best.hand), best.last
        if len(winners) > 1:
            return note("shared", seats=tuple(winners), count=count, number=number)
        if sum(len(self.players[seat].hand) == count for seat in together) > 1:
            return note("lowest_number", seat=winners[0], count=count, number=number)
        return note("most_cards", seat=winners[0], count=count)


_STAGES: Mapping[str, Callable[[_Desk], Need | None]] = {
    "shuffle": _Desk.at_shuffle,
    "deal": _Desk.at_deal,
    "pass": _Desk.at_pass,
    "check": _Desk.at_check,
    "form": _Desk.at_form,
    "draw": _Desk.at_draw,
}
