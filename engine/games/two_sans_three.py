"""2 SANS 3: place cards in three rows, take what the fifth card makes you take; two of a colour are good, three bad.

Law: public facts only. No card is ever looked up but one that lies open or is handed in as `known`.

For 2 to 4 players. The sources let the youngest begin; here it is seat 0, and the table's seating is a lot that nobody
can bias. The names of the notes this game gives out, for whoever words them:

    news     opened(card, row)  drew(seat, count)  gone(seats)
             placed(seat, card, row, cards: the row before anything is taken)  took(seat, cards)
             removed(seat, cards: without colour, out of the game)
             flipped(seat, colour, count)  bonus(seat, points)  last_turn(seat)
    reasons  most_points(seat, points)  shared_points(seats, points)  forfeit(seat)  abandoned
    details  score(seat, points, singles, pairs, down, bonus, colours, final)   per seat that stayed
             unscored(seat, pairs, singles, down, bonus)                        per seat that went
    illegal  not_one_card  not_your_place(seat)
    rows     0 1 2 from the top;  colours  see COLOURS
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, ClassVar, NamedTuple

from engine.cards import Card, CardId, Seat, Slot
from engine.game import (
    Draw,
    Drawn,
    Fact,
    Game,
    IllegalMove,
    Move,
    Moved,
    Need,
    Note,
    Open,
    Opened,
    Over,
    Played,
    Shuffle,
    Shuffled,
    Turn,
    View,
    checked_need,
    checked_settings,
    note,
)

# --- the data the rules rest on -----------------------------------------------------------------------------------

#: No published source says which value has which colour. This table is ours: 12 cards of each colour, 4 in each row,
#: and every colour once in each block of seven values.
COLOURS: Mapping[str, tuple[int, ...]] = {
    "red": (4, 8, 20, 28, 37, 41, 46, 56, 67, 71, 76, 86),
    "orange": (3, 9, 22, 26, 31, 43, 48, 58, 65, 74, 78, 83),
    "green": (6, 13, 17, 24, 36, 40, 50, 54, 62, 68, 81, 89),
    "light_blue": (5, 10, 16, 29, 33, 38, 52, 57, 66, 70, 79, 85),
    "magenta": (2, 14, 19, 25, 35, 39, 47, 59, 63, 73, 77, 87),
    "turquoise": (7, 12, 18, 23, 34, 44, 49, 53, 61, 69, 82, 88),
    "lilac": (1, 11, 21, 27, 32, 42, 51, 55, 64, 72, 80, 84),
}
NAMES = tuple(COLOURS)
#: Without colour: they leave the game when taken.
NEUTRALS = (15, 45, 75)
#: They open the rows, lie there for the whole game and are no cards of the deck.
STARTS = (0, 30, 60)
ROW_SPAN = 30
ROW_SIZE = 4  # the start card counts; the next card makes its player take

OPENED = 3
PILE = 20
FIRST_HAND = 8
REFILL = 6
DOWN_TO = 2  # cards in hand when one draws again, and at the end
TURNS = PILE - DOWN_TO

FLIP = 3  # so many face up of one colour turn face down
#: Points for face-up cards of one colour, by their number.
WORTH = (0, 1, 5)
FACE_DOWN = -1
#: What all cards of one colour score together, by their number.
COLOUR_WORTH = tuple(WORTH[count % FLIP] + FACE_DOWN * (count - count % FLIP) for count in range(13))
BONUSES = (10, 7, 5, 3)
#: Points at the end for so many colours face up.
FINAL: Mapping[int, int] = {7: 10, 6: 5}

VALUES = tuple(value for value in range(90) if value not in STARTS)
#: By card id, which starts at 1; the entry 0 is no card.
VALUE = (-1, *VALUES)
NO_COLOUR = -1
COLOUR = tuple(next((c for c, name in enumerate(NAMES) if value in COLOURS[name]), NO_COLOUR) for value in VALUE)


# --- the public state ---------------------------------------------------------------------------------------------

Cards = tuple[CardId, ...]


class Player(NamedTuple):
    hand: tuple[Slot, ...]
    pile: tuple[Slot, ...]  # its own, top first, seen by nobody
    taken: Cards  # its collection, in the order of taking
    counts: tuple[int, ...]  # cards taken, by colour; each full three of them lie face down
    bonus: int  # the intermediate bonus, 0 for none
    fell: int  # 0 while in, else which departure it was, the first is 1


@dataclass(frozen=True, slots=True)
class State:
    players: tuple[Player, ...]
    rows: tuple[Cards, ...]  # without the start cards, ascending
    bonuses: tuple[int, ...]  # left, highest first
    removed: Cards  # neutral cards that were taken
    opening: tuple[Slot, ...]  # places to be opened before the first turn
    unused: tuple[Slot, ...]  # face-down places of nobody
    shuffled: bool  # before, the whole deck lies open
    turn: Seat
    wants: Need
    news: tuple[Note, ...]


# --- rules without state ------------------------------------------------------------------------------------------


def row_of(card: CardId) -> int:
    return VALUE[card] // ROW_SPAN


def place(row: Cards, card: CardId) -> tuple[Cards, Cards]:
    """The row after this card was played into it, and what its player has to take."""
    row = tuple(sorted((*row, card)))  # ids ascend as the values do
    if 1 + len(row) <= ROW_SIZE:
        return row, ()
    if card == row[-1]:
        return row[1:], row[:1]
    split = row.index(card) + 1
    return row[:split], row[split:]


def collect(counts: tuple[int, ...], cards: Cards) -> tuple[int, ...]:
    """The collection after these cards, all at once; cards without colour are none of it."""
    after = list(counts)
    for card in cards:
        if COLOUR[card] != NO_COLOUR:
            after[COLOUR[card]] += 1
    return tuple(after)


def colours_up(counts: tuple[int, ...]) -> int:
    return sum([count % FLIP > 0 for count in counts])


def cards_down(counts: tuple[int, ...]) -> int:
    return sum([count - count % FLIP for count in counts])


def worth(counts: tuple[int, ...]) -> int:
    """What the collection scores, without bonuses."""
    return sum([COLOUR_WORTH[count] for count in counts])


def final_bonus(counts: tuple[int, ...]) -> int:
    return FINAL.get(colours_up(counts), 0)


def score(player: Player) -> int:
    return worth(player.counts) + player.bonus + final_bonus(player.counts)


@cache
def play(slot: Slot) -> Move:
    return Move("play", (slot,))


# --- what a seat sees ---------------------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """What playing a card now would do."""

    card: CardId
    row: int
    position: int  # in the row, the start card is 0
    takes: Cards
    counts: tuple[int, ...]  # the own collection afterwards
    points: int  # what this changes in the worth of the collection
    bonus: int  # the intermediate bonus it wins, 0 for none


@dataclass(frozen=True)
class TwoSansThreeView(View):
    state: State

    @property
    def rows(self) -> tuple[Cards, ...]:
        """By row without its start card, ascending."""
        return self.state.rows

    @property
    def players(self) -> tuple[Player, ...]:
        return self.state.players

    @property
    def bonuses(self) -> tuple[int, ...]:
        """Intermediate bonuses not yet taken, highest first."""
        return self.state.bonuses

    @cached_property
    def up(self) -> tuple[tuple[int, ...], ...]:
        """By seat and colour: how many cards lie face up in the collection."""
        return tuple(tuple(count % FLIP for count in player.counts) for player in self.players)

    @cached_property
    def down(self) -> tuple[tuple[int, ...], ...]:
        """By seat and colour: how many cards lie face down in the collection."""
        return tuple(tuple(count - count % FLIP for count in player.counts) for player in self.players)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Cards in hand, by seat."""
        return tuple(len(player.hand) for player in self.players)

    @cached_property
    def piles(self) -> tuple[int, ...]:
        """Cards in the own pile, by seat."""
        return tuple(len(player.pile) for player in self.players)

    @cached_property
    def turns_left(self) -> tuple[int, ...]:
        return tuple(turns_left(player) for player in self.players)

    @cached_property
    def points(self) -> tuple[int, ...]:
        """What each seat would score if the game ended now."""
        return tuple(score(player) for player in self.players)

    @cached_property
    def cards(self) -> Mapping[Slot, CardId]:
        return dict(self.hand)

    @cached_property
    def outcomes(self) -> tuple[tuple[Slot, Outcome], ...]:
        """For every own card, in the order of the hand: what playing it now would do, whoever's turn it is."""
        return tuple((slot, self.outcome(card)) for slot, card in self.hand)

    def outcome(self, card: CardId) -> Outcome:
        assert self.seat is not None
        player = self.players[self.seat]
        row = self.rows[row_of(card)]
        takes = place(row, card)[1]
        counts = collect(player.counts, takes)
        won = bonus_for(player, counts, self.bonuses)
        position = 1 + sum(other < card for other in row)
        return Outcome(card, row_of(card), position, takes, counts, worth(counts) - worth(player.counts), won)


def turns_left(player: Player) -> int:
    """Turns this player still has; none once it is gone. Full from the moment the piles are dealt."""
    return 0 if player.fell else max(0, len(player.hand) + len(player.pile) - DOWN_TO)


def bonus_for(player: Player, counts: tuple[int, ...], bonuses: tuple[int, ...]) -> int:
    """The intermediate bonus that a collection of `counts` wins this player at the end of its turn."""
    return bonuses[0] if not player.bonus and colours_up(counts) == len(counts) else 0


# --- the game -----------------------------------------------------------------------------------------------------


class TwoSansThree(Game[State]):
    id = "2sans3"
    version = 1
    seats = range(2, 5)
    deck = tuple(Card(CardId(number)) for number in range(1, len(VALUES) + 1))
    tables: ClassVar[Mapping[str, Any]] = {
        "values": VALUES,
        "colours": COLOURS,
        "names": NAMES,
        "starts": STARTS,
        "sizes": (ROW_SPAN, ROW_SIZE, OPENED, PILE, FIRST_HAND, REFILL, DOWN_TO, FLIP),
        "worth": (*WORTH, FACE_DOWN),
        "bonuses": BONUSES,
        "final": tuple(FINAL.items()),
    }

    def start(self, seats: int, settings: Mapping[str, Any]) -> State:
        checked_settings(self, seats, settings)
        player = Player((), (), (), (0,) * len(NAMES), 0, 0)
        rows: tuple[Cards, ...] = ((),) * len(STARTS)
        return State((player,) * seats, rows, BONUSES, (), (), (), False, Seat(0), _SHUFFLE, ())

    def need(self, state: State) -> Need:
        return state.wants

    def apply(self, state: State, fact: Fact) -> State:
        need = checked_need(self, state, fact)
        desk = _Desk(state)
        match need, fact:
            case Shuffle(), Shuffled():
                desk.spread(need.into)
            case Open(), Opened():
                desk.opened(fact.cards)
            case Draw(), Drawn():
                desk.drawn(need, fact.seats)
            case Turn(), Moved():
                if fact.played is not None:
                    desk.moved(fact.played)
        desk.departed(fact.gone)
        return desk.freeze(desk.wants())

    def moves(self, state: State, seat: Seat, known: Mapping[Slot, CardId]) -> tuple[Move, ...]:
        if not isinstance(state.wants, Turn) or state.wants.seat != seat:
            return ()
        return tuple([play(slot) for slot in state.players[seat].hand if slot in known])

    def view(self, state: State, seat: Seat | None, known: Mapping[Slot, CardId]) -> TwoSansThreeView:
        if seat is None:
            return TwoSansThreeView(self.id, None, state, state.wants, (), ())
        hand = tuple([(slot, known[slot]) for slot in state.players[seat].hand if slot in known])
        return TwoSansThreeView(self.id, seat, state, state.wants, hand, self.moves(state, seat, known))

    def hands(self, state: State) -> tuple[tuple[Slot, ...], ...]:
        return tuple([player.hand for player in state.players])

    def face_down(self, state: State) -> tuple[Slot, ...]:
        places = list(state.opening)
        for player in state.players:
            places += player.pile
        return (*places, *state.unused)

    def open_cards(self, state: State) -> tuple[CardId, ...]:
        if not state.shuffled:
            return _SHUFFLE.cards
        cards = [card for row in state.rows for card in row]
        for player in state.players:
            cards += player.taken
        return (*cards, *state.removed)

    def playing(self, state: State) -> tuple[Seat, ...]:
        return tuple([Seat(seat) for seat, player in enumerate(state.players) if not player.fell])

    def face(self, card: CardId) -> str:
        return f"{VALUE[card]} {NAMES[COLOUR[card]] if COLOUR[card] != NO_COLOUR else 'neutral'}"

    # Judgement, not rules.

    def weigh(self, view: View, move: Move) -> float:
        """What the card changes in the own score now; a little more for every colour that turns face up."""
        assert isinstance(view, TwoSansThreeView)
        assert view.seat is not None
        card = view.cards[move.slots[0]]
        takes = place(view.rows[row_of(card)], card)[1]
        if not takes:
            return 0.0
        player = view.players[view.seat]
        counts = collect(player.counts, takes)
        gain = worth(counts) - worth(player.counts) + bonus_for(player, counts, view.bonuses)
        return gain + (colours_up(counts) - colours_up(player.counts)) / 10

    def standing(self, state: State, seat: Seat) -> float:
        """The lead in points over the best of the others, squeezed between 0 and 1."""
        if isinstance(state.wants, Over):
            first = state.wants.ranking[0]
            return 1.0 / len(first) if seat in first else 0.0
        if state.players[seat].fell:
            return 0.0
        points = {other: score(state.players[other]) for other in self.playing(state)}
        lead = points.pop(seat) - max(points.values())
        return min(0.95, max(0.05, 0.5 + lead / 60))


_SHUFFLE = Shuffle(
    (), tuple(card.id for card in TwoSansThree.deck), tuple(Slot(place) for place in range(len(TwoSansThree.deck)))
)


# --- one apply ----------------------------------------------------------------------------------------------------


class _Desk:
    """The working copy of a state inside one `apply`: changed freely, then frozen into the next state."""

    def __init__(self, state: State) -> None:
        self.players = list(state.players)
        self.rows = list(state.rows)
        self.bonuses = state.bonuses
        self.removed = state.removed
        self.opening = state.opening
        self.unused = state.unused
        self.shuffled = state.shuffled
        self.turn = state.turn
        self.news: list[Note] = []

    def freeze(self, wants: Need) -> State:
        return State(
            tuple(self.players),
            tuple(self.rows),
            self.bonuses,
            self.removed,
            self.opening,
            self.unused,
            self.shuffled,
            self.turn,
            wants,
            tuple(self.news),
        )

    def playing(self) -> list[Seat]:
        return [Seat(seat) for seat, player in enumerate(self.players) if not player.fell]

    # Booking what a fact holds.

    def spread(self, heap: tuple[Slot, ...]) -> None:
        """The first places are for the rows, the next for each player's pile, and the rest stays unseen."""
        self.shuffled = True
        self.opening, heap = heap[:OPENED], heap[OPENED:]
        for seat in self.playing():
            self.players[seat] = self.players[seat]._replace(pile=heap[:PILE])
            heap = heap[PILE:]
        self.unused = heap

    def opened(self, cards: Cards) -> None:
        """Three cards cannot fill a row: nothing is taken."""
        self.opening = ()
        for card in cards:
            row = row_of(card)
            self.rows[row] = place(self.rows[row], card)[0]
            self.news.append(note("opened", card=card, row=row))

    def drawn(self, need: Draw, seats: tuple[Seat, ...]) -> None:
        for seat, places in need.hands:
            if seat in seats:
                player = self.players[seat]
                self.players[seat] = player._replace(hand=player.hand + places, pile=player.pile[len(places) :])
                self.news.append(note("drew", seat=seat, count=len(places)))

    def moved(self, played: Played) -> None:
        seat, move, cards = played
        if move.kind != "play" or len(cards) != 1 or move.values:
            raise IllegalMove(seat, note("not_one_card"))
        player = self.players[seat]
        row = row_of(cards[0])
        lying = tuple(sorted((*self.rows[row], cards[0])))
        self.rows[row], takes = place(self.rows[row], cards[0])
        self.players[seat] = player._replace(hand=tuple([slot for slot in player.hand if slot not in move.slots]))
        self.news.append(note("placed", seat=seat, card=cards[0], row=row, cards=lying))
        if takes:
            self.take(seat, takes)
        if turns_left(self.players[seat]) == 0:
            self.news.append(note("last_turn", seat=seat))
        self.turn = self.after(seat)

    def take(self, seat: Seat, takes: Cards) -> None:
        player = self.players[seat]
        tell = self.news.append
        tell(note("took", seat=seat, cards=takes))
        neutral = tuple([card for card in takes if COLOUR[card] == NO_COLOUR])
        if neutral:
            self.removed += neutral
            tell(note("removed", seat=seat, cards=neutral))
        counts = collect(player.counts, takes)
        for name, before, now in zip(NAMES, player.counts, counts, strict=True):
            if now // FLIP > before // FLIP:
                tell(note("flipped", seat=seat, colour=name, count=FLIP))
        bonus = bonus_for(player, counts, self.bonuses)
        if bonus:
            self.bonuses = self.bonuses[1:]
            tell(note("bonus", seat=seat, points=bonus))
        taken = player.taken + tuple([card for card in takes if card not in neutral])
        self.players[seat] = player._replace(taken=taken, counts=counts, bonus=player.bonus or bonus)

    def departed(self, gone: tuple[Seat, ...]) -> None:
        """Hand and pile leave the game unseen; the collection stays in sight."""
        if not gone:
            return
        self.news.append(note("gone", seats=gone))
        nth = 1 + max(player.fell for player in self.players)
        for seat in gone:
            player = self.players[seat]
            self.unused += player.hand + player.pile
            self.players[seat] = player._replace(hand=(), pile=(), fell=nth)
        if self.players[self.turn].fell and self.playing():
            self.turn = self.after(self.turn)

    def after(self, seat: Seat) -> Seat:
        """The next seat clockwise that is still in."""
        playing = self.playing()
        return min((other for other in playing if other > seat), default=playing[0])

    # What comes next.

    def wants(self) -> Need:
        playing = self.playing()
        if len(playing) < 2:
            return self.walkover(playing)
        if not self.shuffled:
            return _SHUFFLE
        if self.opening:
            return Open(self.opening)
        draws = []
        for seat in playing:
            hand, pile = self.players[seat].hand, self.players[seat].pile
            if pile and len(hand) <= DOWN_TO:
                draws.append((seat, pile[: REFILL if hand else FIRST_HAND]))
        if draws:
            return Draw(tuple(draws))
        return Turn(self.turn) if turns_left(self.players[self.turn]) else self.result(playing)

    def result(self, playing: list[Seat]) -> Over:
        by_points: dict[int, list[Seat]] = {}
        for seat in playing:
            by_points.setdefault(score(self.players[seat]), []).append(seat)
        groups = [tuple(by_points[points]) for points in sorted(by_points, reverse=True)]
        best, winners = max(by_points), groups[0]
        if len(winners) > 1:
            reason = note("shared_points", seats=winners, points=best)
        else:
            reason = note("most_points", seat=winners[0], points=best)
        return self.over(groups, reason)

    def walkover(self, playing: list[Seat]) -> Over:
        if playing:
            return self.over([(playing[0],)], note("forfeit", seat=playing[0]))
        return self.over([], note("abandoned"))

    def over(self, groups: list[tuple[Seat, ...]], reason: Note) -> Over:
        """Whoever went ranks behind all who stayed, the first to go last."""
        falls = sorted({player.fell for player in self.players if player.fell}, reverse=True)
        for nth in falls:
            groups.append(tuple([Seat(seat) for seat, player in enumerate(self.players) if player.fell == nth]))
        details = [self.detail(seat, self.players[seat]) for group in groups for seat in group]
        return Over(tuple(groups), reason, tuple(details))

    def detail(self, seat: Seat, player: Player) -> Note:
        up = [count % FLIP for count in player.counts]
        collection = {"singles": up.count(1), "pairs": up.count(2), "down": cards_down(player.counts)}
        if player.fell:
            return note("unscored", seat=seat, bonus=player.bonus, **collection)
        return note(
            "score",
            seat=seat,
            points=score(player),
            **collection,
            bonus=player.bonus,
            colours=colours_up(player.counts),
            final=final_bonus(player.counts),
        )
