"""The contract between a game's rules and whatever runs them. Read this first.

Law: the rules say what they *need*; somebody else gets it; the rules never know how.

A game is a deterministic function of public facts. Where it needs chance, a hidden card or a decision it returns a
`Need`; the table (p2p/), or the fake dealer of tests and bots (engine/dealer.py), obtains it and answers with the
`Fact` of the same row:

    need       what the rules ask for                                          fact
    Shuffle    mix these places and face-up cards into a new face-down heap     Shuffled
    Draw       hand these places to these seats, face down for everyone else    Drawn
    Open       turn these places face up for everyone                           Opened
    Turn       one seat moves, openly                                           Moved
    Choose     several seats choose, hidden from each other until all have      Chosen
    Pass       each giver hands one card to its receiver, unseen by the rest    Passed
    Claim      each seat says "I can move", or proves that it cannot            Claimed
    Leave      these seats are out; their hands become face-down places         Left
    Over       nothing more: the result                                         -

`apply(state, fact)` is never given a private card: replicas cannot diverge through private knowledge because it is
not in the argument list. `known` (the cards a seat may see) goes to `moves` and `view` only, fresh each time.

Every fact carries `gone`: seats that departed while it was obtained (usually none). `apply` books first what the fact
holds, also of a seat now gone, then the departures. A fact may be *partial* when it carries `gone`: it holds a
subset of what was asked, and `need` then asks for the rest. `Departed` is the fact that holds nothing but departures;
it answers any need.

Names and values, never sentences, cross this border: see `Note`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from engine.cards import Card, CardId, Seat, Slot

# --- what players do ----------------------------------------------------------------------------------------------


class Move(NamedTuple):
    """A decision, the same shape in every game: a kind, the own places it uses (in order), and plain numbers."""

    kind: str
    slots: tuple[Slot, ...] = ()
    values: tuple[int, ...] = ()


class Note(NamedTuple):
    """Something a player may be told: a name and values. Whoever shows it finds the words, in any language.

    A value is a number, a name, or a tuple of these; a value called `seat` or `seats` is put as the players' names,
    one called `card` or `cards` as card faces.
    """

    name: str
    values: tuple[tuple[str, Any], ...] = ()

    def __getitem__(self, key: Any) -> Any:  # note["seat"]
        return dict(self.values)[key] if isinstance(key, str) else tuple.__getitem__(self, key)


def note(name: str, /, **values: Any) -> Note:
    return Note(name, tuple(values.items()))


# --- needs: what the rules ask for --------------------------------------------------------------------------------


class Need:
    """Base of everything a game can ask for."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Shuffle(Need):
    """Mix the face-down `places` and the face-up `cards`; the result lies at `into`, in that order, unknown to all.

    `places` are no longer used afterwards; `into` are numbers this game has never used before.
    """

    places: tuple[Slot, ...]
    cards: tuple[CardId, ...]
    into: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Draw(Need):
    """Each seat gets its places as hand cards. Only that seat learns the faces."""

    hands: tuple[tuple[Seat, tuple[Slot, ...]], ...]


@dataclass(frozen=True, slots=True)
class Open(Need):
    """Turn face-down places (of no hand) face up for everyone."""

    places: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Turn(Need):
    """This seat moves now; the cards it uses are opened to all."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Choose(Need):
    """All these seats choose a move at once; nobody learns another's before all have chosen. Then all are opened."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Pass(Need):
    """Each giver chooses one hand card at once and hidden; then each receiver gets it. Nobody else ever learns it.

    Each seat gives at most once and receives at most once. A `Pass` that follows a partial `Passed` keeps each
    remaining giver's choice: it is the same card that now goes to another receiver.
    """

    ring: tuple[tuple[Seat, Seat], ...]  # (giver, receiver)


class Clause(NamedTuple):
    """Holds for an ordered hand if its first card's attribute is in `first` and all the others' are in `others`."""

    first: tuple[int, ...]
    others: tuple[int, ...]


class Cannot(NamedTuple):
    """The statement "I cannot move": the seat's hand can be ordered so that at least one clause holds."""

    seat: Seat
    attribute: int  # index into the game's `attributes`
    any_of: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Claim(Need):
    """Each of these seats says that it can move, or proves that it cannot. No choice: the hand decides."""

    asked: tuple[Cannot, ...]


@dataclass(frozen=True, slots=True)
class Leave(Need):
    """These seats are out by the rules and hand over: their hands become face-down places of nobody."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Over(Need):
    """The end. `ranking`: best group first, equal seats together. `details`: one note per thing worth showing."""

    ranking: tuple[tuple[Seat, ...], ...]
    reason: Note
    details: tuple[Note, ...] = ()


# --- facts: what came of it ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fact:
    """Base of all facts. `gone`: seats that departed while this was obtained, ascending."""

    gone: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Departed(Fact):
    """Nothing of what was asked came; these seats departed. Answers any need."""


@dataclass(frozen=True, slots=True)
class Shuffled(Fact):
    pass


@dataclass(frozen=True, slots=True)
class Drawn(Fact):
    """`seats` got all the places they were owed."""

    seats: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened(Fact):
    """The faces, in the order of the need's places."""

    cards: tuple[CardId, ...] = ()


class Played(NamedTuple):
    """A move made in the open: the faces are those at `move.slots`, in that order."""

    seat: Seat
    move: Move
    cards: tuple[CardId, ...]


@dataclass(frozen=True, slots=True)
class Moved(Fact):
    played: Played | None = None


@dataclass(frozen=True, slots=True)
class Chosen(Fact):
    played: tuple[Played, ...] = ()  # ascending by seat


class Gift(NamedTuple):
    """One card went from hand to hand; the place keeps its number and now belongs to the receiver's hand."""

    giver: Seat
    receiver: Seat
    slot: Slot


@dataclass(frozen=True, slots=True)
class Passed(Fact):
    gifts: tuple[Gift, ...] = ()  # ascending by giver


@dataclass(frozen=True, slots=True)
class Claimed(Fact):
    answers: tuple[tuple[Seat, bool], ...] = ()  # (seat, can move), ascending by seat


@dataclass(frozen=True, slots=True)
class Left(Fact):
    seats: tuple[Seat, ...] = ()


#: Which fact answers which need (`Departed` answers any).
ANSWERS: Mapping[type[Need], type[Fact]] = {
    Shuffle: Shuffled,
    Draw: Drawn,
    Open: Opened,
    Turn: Moved,
    Choose: Chosen,
    Pass: Passed,
    Claim: Claimed,
    Leave: Left,
}


# --- errors -------------------------------------------------------------------------------------------------------


class ContractError(Exception):
    """Everything a game raises. `note` says what is wrong as a name and values."""

    def __init__(self, problem: Note) -> None:
        super().__init__(problem.name, *(f"{key}={value}" for key, value in problem.values))
        self.note = problem


class BadSetup(ContractError):
    """A game cannot be started like this: unknown game, number of players or option. The caller's fault."""


class IllegalMove(ContractError):
    """This seat made a move that the rules forbid, found when it was opened. That seat's fault."""

    def __init__(self, seat: Seat, problem: Note) -> None:
        super().__init__(problem)
        self.seat = seat


class BadFact(ContractError):
    """The fact does not answer what was needed. The fault of whoever runs the game, never of a player."""


# --- what one seat sees -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """Everything one seat may see, and no more; `seat` is None for a spectator.

    Games subclass it with whatever a screen wants to show. Built from the public state and `known` alone, so it
    cannot hold a card that the seat does not know.
    """

    game: str
    seat: Seat | None
    state: Any  # the public state
    need: Need
    hand: tuple[tuple[Slot, CardId], ...]  # own cards, in the order of the hand
    moves: tuple[Move, ...]  # legal moves of this seat now; () if it is not asked or has already chosen


# --- a game -------------------------------------------------------------------------------------------------------

S = TypeVar("S")


class Game(ABC, Generic[S]):
    """One game's rules. Stateless: every method is a function of its arguments.

    `S` is a frozen dataclass of public facts and slots, made of ints, strings, bools, None, tuples and frozen
    dataclasses or named tuples of these, so that `canonical` can turn it into bytes. It has a field
    `news: tuple[Note, ...]`: what the last `apply` (or `start`) did, for log lines, in the order it happened.
    """

    id: ClassVar[str]  # as typed on a command line: "2win"
    version: ClassVar[int]  # goes up whenever the same facts would lead to another state
    seats: ClassVar[range]  # how many can play
    deck: ClassVar[tuple[Card, ...]]  # every card that can be hidden; deck[i].id == i + 1
    attributes: ClassVar[tuple[str, ...]] = ()  # names of `Card.attributes`
    tables: ClassVar[Mapping[str, Any]] = {}  # the data the rules rest on; part of the rules digest
    settings: ClassVar[Mapping[str, tuple[Any, ...]]] = {}  # option -> allowed values, the default first

    @abstractmethod
    def start(self, seats: int, settings: Mapping[str, Any]) -> S:
        """The first state, before any card is shuffled. Seat 0 is whom the lot made first. Raises BadSetup."""

    @abstractmethod
    def need(self, state: S) -> Need:
        """What the rules wait for. `Over` if nothing. A function of the state alone."""

    @abstractmethod
    def apply(self, state: S, fact: Fact) -> S:
        """The state after this fact. Raises IllegalMove or BadFact; never changes `state`."""

    @abstractmethod
    def moves(self, state: S, seat: Seat, known: Mapping[Slot, CardId]) -> tuple[Move, ...]:
        """Every legal move of this seat for the present need (Turn, Choose, Pass) with the cards it knows.

        A place whose face is not in `known` is in no move. Empty if this seat is not asked.
        """

    @abstractmethod
    def view(self, state: S, seat: Seat | None, known: Mapping[Slot, CardId]) -> View:
        """What this seat may see."""

    # Where every card is. Together: open cards + hands + face_down = the whole deck, once the deck is shuffled.

    @abstractmethod
    def hands(self, state: S) -> tuple[tuple[Slot, ...], ...]:
        """The hand places of each seat; () for a seat that is out."""

    @abstractmethod
    def face_down(self, state: S) -> tuple[Slot, ...]:
        """Every face-down place that is in no hand, in the order in which a rebuilt pile fills them."""

    @abstractmethod
    def open_cards(self, state: S) -> tuple[CardId, ...]:
        """Every card whose face and place are public knowledge (also removed ones and ones turned over in public)."""

    @abstractmethod
    def playing(self, state: S) -> tuple[Seat, ...]:
        """The seats still in, ascending. A seat that dropped out, left or is gone is not."""

    def face(self, card: CardId) -> str:
        """The card in a few plain characters, for logs and playthroughs."""
        return f"#{card}"

    # How good things look: what lets the bots play any game. Judgement, not rules; floats are fine here.

    def weigh(self, view: View, move: Move) -> float:
        """How good this move looks at a glance to the seat of the view. The greedy bot takes the highest."""
        return 0.0

    def standing(self, state: S, seat: Seat) -> float:
        """How well this seat stands, comparable among states of one game; 1.0 won … 0.0 lost. Ends a look-ahead."""
        return 0.5


# --- what every game checks before it looks at its own rules ------------------------------------------------------


def checked_settings(game: Game[Any], seats: int, settings: Mapping[str, Any]) -> dict[str, Any]:
    """All settings of the game, defaults filled in. Raises BadSetup for a wrong number of players or setting."""
    if type(seats) is not int or seats not in game.seats:
        raise BadSetup(note("wrong_players", game=game.id, least=game.seats[0], most=game.seats[-1]))
    chosen = {name: allowed[0] for name, allowed in game.settings.items()}
    for name, value in settings.items():
        allowed = game.settings.get(name, ())
        if not any(type(value) is type(one) and value == one for one in allowed):
            raise BadSetup(note("wrong_setting", game=game.id, setting=str(name), allowed=allowed))
        chosen[name] = value
    return chosen


def checked_need(game: Game[S], state: S, fact: Fact) -> Need:
    """The need that `fact` answers. Raises BadFact unless the fact has the right shape and holds what was asked.

    A seat may go while it plays or is handing over. What was moved or passed is checked as far as it is the same in
    every game: own places, each once (else IllegalMove), showing cards of this deck that did not lie open already.
    """
    need = game.need(state)
    answer = ANSWERS.get(type(need))
    if answer is None:
        raise BadFact(note("game_over"))
    if type(fact) is not answer and type(fact) is not Departed:
        raise BadFact(note("wrong_fact", needed=answer.__name__))
    if fact.gone != ():
        leaving = need.seats if isinstance(need, Leave) else ()
        _check_seats(fact.gone, (*game.playing(state), *leaving), whole=False)
    whole = not fact.gone
    match need, fact:
        case _, Departed():
            if whole:
                raise BadFact(note("nobody_departed"))
        case Draw(hands), Drawn():
            _check_seats(fact.seats, [seat for seat, _ in hands], whole)
        case Leave(seats), Left():
            _check_seats(fact.seats, seats, whole)
        case Open(places), Opened():
            _check_opened(game, state, fact.cards, len(places))
        case Turn(seat), Moved():
            if fact.played is not None or whole:
                _check_played(game, state, (fact.played,), (seat,), whole)
        case Choose(seats), Chosen():
            _check_played(game, state, fact.played, seats, whole)
        case Claim(asked), Claimed():
            _check_rows(fact.answers, tuple, 2)
            _check_seats(tuple(seat for seat, _ in fact.answers), [one.seat for one in asked], whole)
            if not all(type(can) is bool for _, can in fact.answers):
                raise BadFact(note("wrong_answer"))
        case Pass(ring), Passed():
            _check_gifts(game, state, fact.gifts, ring, whole)
    return need


def _check_rows(values: object, kind: type[tuple[Any, ...]], length: int) -> None:
    if type(values) is not tuple or not all(type(row) is kind and len(row) == length for row in values):
        raise BadFact(note("malformed"))


def _check_seats(seats: object, allowed: Collection[Seat], whole: bool) -> None:
    """Ascending seats, each one allowed; all of them if `whole`."""
    if type(seats) is not tuple:
        raise BadFact(note("malformed"))
    before = -1
    for seat in seats:
        if type(seat) is not int or seat <= before or seat not in allowed:
            raise BadFact(note("wrong_seats"))
        before = seat
    if whole and len(seats) != len(allowed):
        raise BadFact(note("incomplete"))


def _check_numbers(values: object) -> None:
    if type(values) is not tuple or not all(type(value) is int for value in values):
        raise BadFact(note("malformed"))


def _check_opened(game: Game[S], state: S, cards: tuple[CardId, ...], length: int) -> None:
    _check_numbers(cards)
    if len(cards) != length:
        raise BadFact(note("incomplete"))
    if len(set(cards)) != length or not all(0 < card <= len(game.deck) for card in cards):
        raise BadFact(note("wrong_cards"))
    if not set(cards).isdisjoint(game.open_cards(state)):
        raise BadFact(note("wrong_cards"))


def _check_own(hand: tuple[Slot, ...], seat: Seat, slots: tuple[Slot, ...]) -> None:
    if len(set(slots)) != len(slots) or not all(slot in hand for slot in slots):
        raise IllegalMove(seat, note("not_your_place", seat=seat))


def _check_played(game: Game[S], state: S, played: object, seats: Sequence[Seat], whole: bool) -> None:
    _check_rows(played, Played, 3)
    assert isinstance(played, tuple)
    _check_seats(tuple(one.seat for one in played), seats, whole)
    opened: list[CardId] = []
    for _, move, cards in played:
        if type(move) is not Move or len(move) != 3 or type(move.kind) is not str:
            raise BadFact(note("malformed"))
        for numbers in (move.slots, move.values, cards):
            _check_numbers(numbers)
        if len(cards) != len(move.slots):
            raise BadFact(note("incomplete"))
        opened += cards
    hands = game.hands(state)
    for seat, move, _ in played:
        _check_own(hands[seat], seat, move.slots)
    _check_opened(game, state, tuple(opened), len(opened))


def _check_gifts(
    game: Game[S], state: S, gifts: tuple[Gift, ...], ring: tuple[tuple[Seat, Seat], ...], whole: bool
) -> None:
    _check_rows(gifts, Gift, 3)
    _check_seats(tuple(gift.giver for gift in gifts), [giver for giver, _ in ring], whole)
    hands = game.hands(state)
    for giver, receiver, slot in gifts:
        if type(receiver) is not int or (giver, receiver) not in ring or type(slot) is not int:
            raise BadFact(note("malformed"))
        _check_own(hands[giver], giver, (slot,))


# --- canonical bytes ----------------------------------------------------------------------------------------------


def canonical(value: Any) -> bytes:
    """One value, one byte string, on every machine: what replicas compare and what digests are made of.

    Takes ints, strings, bytes, bools, None, tuples/lists, mappings with string keys, dataclasses and named tuples.
    Everything is type-tagged and length-framed, so different values never meet. Floats and sets are refused.
    """
    out: list[bytes] = []
    _encode(value, out)
    return b"".join(out)


def _encode(value: Any, out: list[bytes]) -> None:
    if value is None:
        out.append(b"n")
    elif value is True or value is False:
        out.append(b"t" if value else b"f")
    elif isinstance(value, int):
        _frame(b"i", str(int(value)).encode(), out)
    elif isinstance(value, str):
        _frame(b"s", value.encode(), out)
    elif isinstance(value, bytes):
        _frame(b"b", value, out)
    elif isinstance(value, tuple | list):
        name = type(value).__name__ if hasattr(value, "_fields") else ""
        _sequence(b"l" + name.encode() + b":", value, out)
    elif isinstance(value, Mapping):
        _sequence(b"m:", [item for key in sorted(value) for item in (key, value[key])], out)
    elif hasattr(value, "__dataclass_fields__"):
        fields = [getattr(value, name) for name in value.__dataclass_fields__]
        _sequence(b"d" + type(value).__name__.encode() + b":", fields, out)
    else:
        raise TypeError(f"no canonical form for {type(value).__name__}")


def _frame(tag: bytes, body: bytes, out: list[bytes]) -> None:
    out.append(tag + str(len(body)).encode() + b":" + body)


def _sequence(tag: bytes, items: Sequence[Any], out: list[bytes]) -> None:
    out.append(tag + str(len(items)).encode() + b"(")
    for item in items:
        _encode(item, out)
    out.append(b")")


def rules_identity(game: Game[Any]) -> bytes:
    """Everything that makes two copies of a game the same game, as canonical bytes; peers compare its hash."""
    return canonical((game.id, game.version, tuple(game.seats), game.deck, game.attributes, game.tables, game.settings))
