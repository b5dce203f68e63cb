"""1024 short words for things people compare aloud: each word is ten bits.

Law: a constant. The order is part of the protocol: a word's number never changes.

Chosen to be easy to say and spell, and hard to mishear: no two are one letter apart, no two share their first four
letters (so four typed letters are enough to find a word). The tests check it.
"""

_TEXT = """
acorn acre actor adapt adobe adult aerial afar agent agile ahead aim airy alarm album alley almond aloe alpha amber
ample anchor angle anthem april apron arena argue army aroma arrow artist aspen atlas atom attic august aunt autumn
avenue awake award azure baby bacon badge bagel baker ball bamboo banana bandit banjo bank barber barley barn basil
basket bath battle beach beak beast beaver bed beef beetle belt berry bike bingo birch bird bison black blade blend
blink bloom blue bluff board boat body boil bold bonus border boss bounce box brain branch brass brave bread breeze
brick bride brief bright bronze brook brown brush bubble bucket budget buffet bugle build bulb bundle bunny burger
burst bus butler button buzz cabin cable cactus cafe calf camel canal candle cannon canoe canvas carbon card cargo
carpet carrot carve cash castle cat cedar ceiling cellar cement cereal chain chalk champ chance charm chase cheek
cherry chess chief child chime chip chrome cider cinema circle city civil claim clap class clean clerk clever cliff
climb clinic cloak cloth cloud clown club coach coast cobalt cobra cocoa code coffee coin colt comb comet comic
compass copper coral cork corner cosmos cotton cougar count couple course cousin cover cow crab cradle craft crane
crater crayon cream crew cricket crisp crop cross crowd cruise crumb crust crystal cube cuckoo cup curb curry
curtain cushion custom cycle daily damp dance danger dark data dawn day deal debate decade deck deep degree delta
desert detail diamond diary dice diesel diet digit dinner diver doctor dog doll dolphin dome donkey donor double
dough dozen dragon drama draw dress drift drill drink drive drum duke dust duty eagle early earth easy echo editor
effort egg eight elbow elder elf empty enamel energy engine enjoy entry epic equal era essay estate evening exact
exam exit expert extra eye fabric face fair faith falcon family famous fan farm fast father fence fern fever fiddle
field fig film final finch finger fire fish flag flame flask fleet flight flint float flock flood flour flow flute
foam focus folk forest fort fossil fresh friend frog front fruit fudge full furrow future gadget galaxy gallon game
garage garden garlic gear gem genius gentle giant gift giraffe glad globe glory goal golf gong good goose grand
grape gravy green grid groove ground guard guest guide guitar habit hail hammer hand happy harbor harp haven hawk
hazel heart hedge helmet help hen herb heron hiker hill hinge hippo history hobby hockey hollow honey hook horse
hotel hour hub human humble hunter husky hybrid icon idea idol igloo image index indigo inlet insect iris island
item ivory ivy jacket jade jaguar jam jasmine java jazz jeans jelly jersey jet jewel jigsaw job joke journey juice
july jumbo jump june jungle junior kayak keen keeper kettle key kick kid kidney king kiosk kite kitten kiwi knee
knife knight koala label ladder lady lagoon lake lamb lantern large laser latch laugh laundry leader leaf learn left
legend lemon lens leopard letter level liberty life lilac lily limit linen lion lip liquid list little lively lizard
llama local locust logic loop lord lotus lounge love lucky lumber lunar lunch lung machine madam magic magnet maid
major mango mantle maple marble march margin market mask master maze meadow medal melody member memory mentor menu
mercy merit meter milk mimic mind minor minute mirror mix mobile model mole moment month moon morning mosaic motor
mound mouse movie much mud muffin muscle museum music mustard mutual myth napkin nation navy neat nectar needle
nephew nerve neutral news nickel nine noble noise noodle normal north notch note novel nurse nut oak oasis object
oboe ocean octave office olive omega onion opal open opera orange orbit orchid organ origin osprey otter outdoor owl
owner oxygen oyster ozone pack paddle page paint palace palm panda panel panther papaya paper parade parcel party
pasta patrol pause paw peace peanut pearl pebble peel pelican pencil penguin pepper perch perfume permit person
petal phone photo piano pickle picnic picture pigeon pillow pilot pink pioneer pipe pirate pitch pixel pizza plain
planet plate plaza plenty plum pocket poem polar police polo pond pool poppy poster potato pottery pouch powder
prairie prawn pretty price prism profit prompt proud public pudding pulse pumpkin puppet pure purple puzzle pyramid
quail queen quick quiet quill quiz rabbit radar radio raisin rapid rare razor ready recipe record reed reform region
relay relic remote rent repair rescue result ribbon rich ripple risk ritual road robin robot rodeo roman roof
rooster rope route royal rubber ruby rudder rug ruler rural safari saga salad salmon salt salute satin sauce savory
scale scarf scene school science scope scout screen script scroll sea search season second secret senior sense
series server seven shadow shaft shake shark sheep shelf shield shirt shoe shovel shrimp shrub sign silent silver
simple siren sister size sketch skill skin sky sled slice slim small smart smile smoke smooth snack snail snow soap
soccer social sock soda soft solid sonnet south space speak spider spike spinach spiral splash sponge spoon sport
spray spring spruce square squid stable stage stair stamp station steam steel step stereo stick stone stool storm
straw street strong student style subway sugar suit summer sun super surf survey sushi swan sweet swift swing switch
sword syrup system tackle talent tape target tart tavern taxi teacher teapot tech temple tennis term text thank
theater theme thin thorn thread throne thumb thunder ticket tide tiger timber tiny tissue title today toe tomato
tongue tooth topaz topic torch total toucan tower town track trade trail travel tray treaty tree trend tribe trio
trophy trumpet trunk tuba tulip tunnel turbo turkey turtle tutor twelve twig twist two uncle under unique unit upper
urban urge usual vacuum value vanilla vapor vase vault velvet vendor vest victor video view villa vinegar violin
visa vision vital vivid voice volcano volume voyage waffle wagon waiter walk walnut walrus wander wasp wave wax
weather week well whale wheat wheel whisk white wicker widow wild winter wise world wrap wreath wren wrist yellow
yes yoga yogurt young yoyo zebra zenith zero zigzag zinc zipper zodiac zoom
"""

WORDS: tuple[str, ...] = tuple(_TEXT.split())
