"""Looks for leaks in a simulated table: what all other seats together could learn of one seat's cards, step by step.

Law: an attack, not a proof. It replays the log to a stranger's table and holds against it what only a simulation has:
every seat's seed. A seat's own secret serves two ends, both said where it happens: to know the truth an attack is
measured by, and to find at once what an attacker would find by trying every byte string it has seen.

Who is attacked: every seat that still holds a layer, by all others pooled (who left included). What they have: their
keys, so they can take off all layers but one and follow every card through their own shuffles; and whatever the
attacked seat ever published. So they learn a card exactly if

    layers      it lies under fewer or other layers than it should;
    share       the missing share x·a of it was published, anywhere, now or before, by mistake or in disguise;
    randomness  the number r with a = r·G was published, anywhere, by anybody: then x·a = r·y;
    place       its ciphertext was not made anew when it was hidden or shuffled, so it can be followed;
    guess       hiding or shuffling leaves cards where they were more often than chance does.

Who passed a card knows it until it is hidden; that is the game. Who left knows what it had; that is said in THREATS.md.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import e, log
from typing import Any

from engine.cards import CardId, Seat, Slot
from engine.game import Chosen, Game, Moved, Passed
from p2p import events
from p2p.crypto import deck as crypto
from p2p.crypto.elgamal import CIPHERTEXT_SIZE, decrypt
from p2p.crypto.group import Point, Q, Scalar, base_mul
from p2p.crypto.shuffle_proof import message_size
from p2p.errors import WireError
from p2p.felt import Felt
from p2p.me import Me
from p2p.seating import Proposal
from p2p.steps.base import Step
from p2p.steps.claim import AnswerStep
from p2p.steps.rebuild import MarkStep
from p2p.steps.shuffle import LinkStep
from p2p.table import Table
from p2p.wire import Answer, Entry, Link, Mark, decode_body, encode_entry_packet

Place = tuple[int, int]  # epoch and step
Hand = Mapping[Slot, CardId | None]
SIZE = 32  # of a point and of a scalar: everything secret is looked for in pieces of this size
#: Report a guess only if chance would do as well once in so many tables: no soak is that long.
SURPRISE = 1e12


@dataclass(frozen=True, slots=True)
class Leak:
    """What of whom could be learnt, how (the words at the top of this file), and since which step."""

    how: str
    seat: Seat
    card: CardId | None
    epoch: int
    step: int


@dataclass
class Guesses:
    """How often "it stays where it is" was right about one kind of secret order, and how often that was tried.

    A random permutation leaves one card in its place on average, and no more often many than a Poisson variable does.
    """

    tries: int = 0
    hits: int = 0

    @property
    def surprising(self) -> bool:
        if self.hits <= self.tries:
            return False
        chernoff = -self.tries + self.hits * log(e * self.tries / self.hits)
        return chernoff < -log(SURPRISE)


@dataclass(frozen=True, slots=True)
class Sight:
    """What a share or a randomness would show: this card, as long as it has not been shuffled once more."""

    face: CardId
    mixed: int


@dataclass
class Target:
    """One attacked seat."""

    secret: Scalar
    published: set[bytes] = field(default_factory=set)  # every piece of everything it said
    shares: dict[bytes, Sight] = field(default_factory=dict)  # what it must not publish while it guards the card
    hands: list[tuple[Place, Hand]] = field(default_factory=lambda: [((0, 0), {})])  # since when it lay how
    came: frozenset[Slot] = frozenset()  # places it received while it was bound to a choice: not hidden with the others
    lain: dict[Point, Place] = field(default_factory=dict)  # first components of its hand's ciphertexts, since when
    guesses: dict[str, Guesses] = field(default_factory=lambda: {"hide": Guesses(), "shuffle": Guesses()})

    def take_back(self, place: Place) -> None:
        """This step is open again: what came after it has not happened."""
        self.hands = [(at, hand) for at, hand in self.hands if at <= place]
        self.lain = {a: at for a, at in self.lain.items() if at <= place}


class LeakCheck:
    """Replays one log against the seeds of those who wrote it. `leaks` grows while it goes on."""

    def __init__(self, proposal: Proposal, game: Game[Any], seeds: Mapping[bytes, bytes]) -> None:
        self.table = Table(proposal, game)
        self.leaks: list[Leak] = []
        self._seeds = seeds
        self._targets: dict[Seat, Target] = {}
        self._faces: dict[crypto.Ciphertext, CardId | None] = {}
        self._stale: set[crypto.Ciphertext] = set()  # lie under layers of seats gone for good, until they are made anew
        self._mixed: Counter[CardId] = Counter()  # how often a card went through a shuffle: older sights are void
        self._guards: dict[CardId, tuple[Seat, ...]] = {}  # hidden cards -> whose layers they lie under
        self._randomness: dict[bytes, Sight] = {}  # by the a of every ciphertext of a hidden card
        self._multiples: set[bytes] = set()  # r·G for every published piece r that is a number
        self._fresh: list[Entry] = []

    def replay(self, entries: Iterable[Entry], sent: Iterable[Entry] = ()) -> list[Leak]:
        """All leaks in these entries of a log. `sent`: more that was sent; what never counted is as public."""
        stray = deque(sorted(sent, key=lambda entry: entry.place))
        for entry in entries:
            self._hear(entry)
            while stray and stray[0].place[:2] < self.table.place:
                self._publish([stray.popleft()])
        self._publish(stray)
        return self.leaks

    def _hear(self, entry: Entry) -> None:
        """One message: let the stranger take it, and look at what it did."""
        step, place = self.table._replica.step, self.table.place
        self.table.receive(encode_entry_packet(entry), 0.0)
        self._fresh.append(entry)
        if self.table._replica.step is not step or self.table.result:
            self._closed(step)
        hidden: dict[Seat, frozenset[Slot]] = {}
        while (event := self.table.next_event()) is not None:
            if isinstance(event, events.Booked):
                hidden.update(self._who_hid(event))
            elif isinstance(event, events.TakenBack):
                hidden.clear()
                for target in self._targets.values():
                    target.take_back((event.epoch, event.step))
        if self.table.place != place:
            self._look_around(hidden, cut=self.table.place[0] != place[0])
            self._publish(self._fresh)
            self._fresh = []

    def _closed(self, step: Step[Any]) -> None:
        """What some steps bring besides cards that lie on the table."""
        closed = self.table.log.steps[-1]
        for entry in closed.entries if self._targets else ():
            body = _body(entry)
            if isinstance(step, LinkStep) and isinstance(body, Link):
                self._shuffled(step, entry.header.seat, body)
            elif isinstance(step, AnswerStep) and isinstance(body, Answer):
                self._claimed(step, entry.header.seat, body)
            elif isinstance(step, MarkStep) and isinstance(body, Mark):
                self._marked(step, entry.header.seat, body)

    def _who_hid(self, event: events.Booked) -> Iterator[tuple[Seat, frozenset[Slot]]]:
        """The seats whose hands were made anew for what was booked, and the places that came to them meanwhile."""
        match event.fact:
            case Chosen(played=played):
                yield from ((one.seat, frozenset()) for one in played)
            case Moved(played=played) if played is not None:
                yield played.seat, frozenset()
            case Passed(gifts=gifts):
                bound = self.table.felt.bound if self.table.felt else {}
                for gift in gifts:
                    receiver = self._targets[gift.receiver]
                    receiver.came |= {gift.slot}
                for gift in gifts:
                    yield gift.giver, self._targets[gift.giver].came
                for seat, target in self._targets.items():
                    if seat not in bound:
                        target.came = frozenset()

    # --- what lies where --------------------------------------------------------------------------------------------

    def _look_around(self, hidden: Mapping[Seat, frozenset[Slot]], cut: bool) -> None:
        """After a step: which cards are hidden, under whose layers, and can any of them be followed?"""
        felt = self.table.felt
        if felt is None:
            return
        if not self._targets:
            self._targets = {seat: Target(self._secret(seat)) for seat in felt.active}
            self._publish(entry for closed in self.table.log.steps for entry in closed.entries)
        hands = self.table.game.hands(self.table.state)
        if cut:
            safe = {slot for seat in felt.active for slot in hands[seat]}
            self._stale.update(card for slot, card in felt.cards.items() if slot not in safe)
        self._guards = {}
        for seat, places in enumerate(hands):
            owner = (Seat(seat),) if seat in felt.active else felt.active
            hand = {slot: self._find(felt.cards[slot], owner) for slot in places if slot in felt.cards}
            if seat in felt.active:
                self._check_hand(felt, Seat(seat), hand, hidden.get(Seat(seat)))
        for slot in self.table.game.face_down(self.table.state):
            if slot in felt.cards:
                self._find(felt.cards[slot], felt.active)
        for seat, bound in felt.bound.items():
            for card in bound.hand.values():
                self._find(card, (seat,))

    def _secret(self, seat: Seat) -> Scalar:
        return Me(self._seeds[bytes(self.table.members[seat])]).secret.scalar

    def _check_hand(self, felt: Felt, seat: Seat, hand: Hand, received: frozenset[Slot] | None) -> None:
        """Can the others follow a card through hiding? `received`: what came meanwhile; None if nothing was hidden."""
        target, before = self._targets[seat], self._targets[seat].hands[-1][1]
        if received is not None:
            kept = [slot for slot in hand if slot not in received]
            for slot in kept:
                if felt.cards[slot].a in target.lain:
                    self._report("place", seat, hand[slot])
            if len(before) > 1:
                self._guess("hide", seat, sum(before.get(slot) == hand[slot] for slot in kept))
        target.hands.append((self.table.place, hand))
        for slot in hand:
            target.lain.setdefault(felt.cards[slot].a, self.table.place)

    def _find(self, card: crypto.Ciphertext, owners: tuple[Seat, ...]) -> CardId | None:
        """The truth: which card it is, by the secrets of exactly those whose layers it should lie under."""
        if card in self._stale:
            return None
        if card not in self._faces:
            self._faces[card] = self._open(card, owners)
            if (face := self._faces[card]) is not None:
                self._watch(card, face, owners)
            else:
                self._report("layers", owners[0], None)
        face = self._faces[card]
        if face is not None:
            self._guards[face] = owners
        return face

    def _open(self, card: crypto.Ciphertext, owners: tuple[Seat, ...]) -> CardId | None:
        secret = sum(int(self._targets[seat].secret) for seat in owners)
        try:
            assert self.table.felt is not None
            return CardId(self.table.felt.deck.identify(decrypt(card, Scalar(secret))))
        except crypto.CryptoError:
            return None

    def _watch(self, card: crypto.Ciphertext, face: CardId, owners: Iterable[Seat]) -> None:
        """From now on none of its owners may publish its share, nobody its randomness; nor may they have."""
        a, sight = card.a.encode(), Sight(face, self._mixed[face])
        self._randomness[a] = sight
        for seat in owners:
            target = self._targets[seat]
            share = (target.secret * card.a).encode()
            target.shares[share] = sight
            if share in target.published:
                self._report("share", seat, face)
            if a in self._multiples:
                self._report("randomness", seat, face)

    # --- what is said -----------------------------------------------------------------------------------------------

    def _publish(self, entries: Iterable[Entry]) -> None:
        """An attacker tries each piece of each message as the share, or the randomness, of every hidden card."""
        if not self._targets:
            return
        for entry in entries:
            seat = Seat(self.table.members.index(self.table._replica.author(entry)))
            author = self._targets[seat]
            for piece in _pieces(entry):
                if piece not in author.published:
                    author.published.add(piece)
                    face = self._still_hidden(author.shares.get(piece))
                    if face is not None and seat in self._guards[face]:
                        self._report("share", seat, face)
                number = int.from_bytes(piece, "little")
                if 0 < number < Q:
                    multiple = base_mul(Scalar(number)).encode()
                    self._multiples.add(multiple)
                    face = self._still_hidden(self._randomness.get(multiple))
                    if face is not None:
                        self._report("randomness", self._guards[face][0], face)

    def _still_hidden(self, sight: Sight | None) -> CardId | None:
        """The card, unless it is open, or was shuffled since and so could not be told from others any more."""
        if sight is None or sight.face not in self._guards or sight.mixed != self._mixed[sight.face]:
            return None
        return sight.face

    def _shuffled(self, step: LinkStep, seat: Seat, body: Link) -> None:
        """One seat's shuffle. The others know where each card goes in all later links but not through this one.

        So from its output on, every ciphertext of a card is one and the same to them.
        """
        active = step.ground.felt.active
        if seat not in active:  # cut off with its link
            return
        before = [row[0] for row in step.rows]
        after = [row[0] for row in crypto.shuffle_output(body.message, len(step.rows), len(step.rows[0]))]
        lain = {card.a for card in before}
        faces = [self._faces[card] if card in self._faces else self._open(card, active) for card in before]
        new_faces = [self._open(card, active) for card in after]
        spoken = active[: active.index(seat) + 1]  # in the order of the chain
        if len(spoken) == 1:
            self._mixed.update(face for face in faces if face is not None and len(self._guards.get(face, ())) != 1)
            if len(step.rows[0]) > 1:
                self._watch_bits(zip([row[1] for row in step.rows], faces, strict=True), active)
        for card, face in zip(after, new_faces, strict=True):
            if card.a in lain:
                self._report("place", seat, face)
            if face is not None:
                self._faces[card] = face
                self._watch(card, face, spoken)
        self._guess("shuffle", seat, sum(old == new for old, new in zip(faces, new_faces, strict=True)))

    def _claimed(self, step: AnswerStep, seat: Seat, body: Answer) -> None:
        """Who cannot move shows a copy of its hand, made for the proof: it must hide the cards as well."""
        places = step.ground.hand(seat)
        if body.can or seat not in step.ground.felt.active:
            return
        for row in crypto.shuffle_output(body.proof[: message_size(len(places), 1)], len(places)):
            if row[0].a in self._targets[seat].lain:
                self._report("place", seat, self._open(row[0], (seat,)))
            self._find(row[0], (seat,))

    def _marked(self, step: MarkStep, seat: Seat, body: Mark) -> None:
        """Who stays marks its cards in a public order: nobody may see through the marks, or where a card came from."""
        unseen, active = step.unseen, step.ground.felt.active
        if seat not in active:
            return
        split = CIPHERTEXT_SIZE * (len(unseen) - len(step.ground.hand(seat)))
        message = body.message[split : split + message_size(len(unseen), 2)]
        rows = crypto.shuffle_output(message, len(unseen), 2)
        for (card, _), face in zip(rows, unseen, strict=True):
            if card.a in self._targets[seat].lain:
                self._report("place", seat, face)
        self._watch_bits(zip(crypto.column(rows, 1), unseen, strict=True), active)

    def _watch_bits(self, bits: Iterable[tuple[crypto.Ciphertext, CardId | None]], active: Sequence[Seat]) -> None:
        """Encrypted bits that say of known cards whether they are in a hand: as secret as those cards."""
        for bit, face in bits:
            if face is not None and len(self._guards.get(face, ())) == 1:
                self._watch(bit, face, active)

    # --- verdicts ---------------------------------------------------------------------------------------------------

    def _guess(self, kind: str, seat: Seat, hits: int) -> None:
        guesses = self._targets[seat].guesses[kind]
        guesses.tries += 1
        guesses.hits += hits
        if guesses.surprising:
            self._report("guess", seat, None)

    def _report(self, how: str, seat: Seat, card: CardId | None) -> None:
        if not any((leak.how, leak.seat, leak.card) == (how, seat, card) for leak in self.leaks):
            self.leaks.append(Leak(how, seat, card, *self.table.place))


def _body(entry: Entry) -> object:
    try:
        return decode_body(entry.header.kind, entry.body_bytes)
    except WireError:
        return None


def _pieces(entry: Entry) -> Iterator[bytes]:
    """All points and numbers in a message: every field is a row of them."""
    body = _body(entry)
    for name in getattr(body, "__slots__", ()):
        value = getattr(body, name)
        if isinstance(value, bytes):
            for at in range(0, len(value) - SIZE + 1, SIZE):
                yield value[at : at + SIZE]
