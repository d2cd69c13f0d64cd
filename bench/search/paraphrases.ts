import { seededRandom } from '#core';

/** A task of a recording, and a query that asks for it in other words. */
export interface Paraphrase {
  readonly task: string;
  readonly query: string;
}

/**
 * Tasks in the wording of public robot datasets (Bridge, DROID, LIBERO, RT-1, ALOHA, Ego4D, drives, flights), each with a
 * paraphrase. Both were written by hand before any of them was searched, and none was changed afterwards.
 */
const pairs = `
pick up the mug | grab the cup
put the carrot on the plate | place the vegetable on the dish
open the drawer | pull out the drawer compartment
close the drawer | push the drawer shut
fold the towel | make the dish cloth into a folded shape
wipe the table | clean the tabletop with a cloth
pour water into the glass | fill the tumbler with water
stack the red block on the blue block | pile the crimson cube on top of the azure one
insert the peg into the hole | push the pin into the socket
turn on the stove | switch the cooker on
turn off the faucet | shut the water tap
open the microwave door | swing open the microwave oven
put the bowl in the sink | set the dish in the washbasin
take the lid off the pot | remove the cover from the saucepan
put the lid on the pan | cover the skillet
sweep the trash into the dustpan | brush the rubbish into the shovel
pick up the soda can | lift the tin of cola
throw the bottle in the bin | toss the flask into the garbage
hang the shirt on the hanger | put the tee on a clothes rack
unplug the charger | disconnect the power adapter from the outlet
plug the cable into the port | attach the wire to the connector
press the red button | push the scarlet key
flip the light switch | toggle the lamp
turn the knob clockwise | rotate the dial to the right
open the refrigerator | unclose the fridge
close the fridge door | shut the refrigerator
put the apple in the basket | drop the fruit into the hamper
peel the banana | take the skin off the banana
cut the cucumber | slice the cucumber with a knife
stir the soup | mix the broth with a ladle
whisk the eggs | beat eggs in a bowl
flip the pancake | turn over the hotcake
crack an egg into the bowl | break an egg in a dish
spread butter on the bread | smear margarine over the toast
pour coffee into the cup | serve java in a mug
load the dishwasher | put dirty dishes in the washing machine for plates
take the plate out of the rack | remove the dish from the drainer
place the fork next to the knife | lay the silverware fork beside the blade
set the table | arrange plates and cutlery for a meal
zip up the jacket | close the zipper of the coat
tie the shoelaces | make a knot in the laces of the sneaker
put the shoes on the shelf | place the sneakers on the rack
fold the shorts | fold the short pants
unfold the napkin | open up the serviette
crumple the paper | scrunch the sheet into a ball
tear the paper in half | rip the sheet into two pieces
write on the whiteboard | draw with a marker on the board
erase the whiteboard | rub out the markings on the board
open the book | turn the novel to a page
close the laptop | shut the notebook computer
type on the keyboard | hit keys of the computer input device
move the mouse to the left of the monitor | shift the pointing device to the screen's left side
put the pen in the holder | place the ballpoint in the pencil cup
sharpen the pencil | make the pencil's tip pointed
cut the paper with scissors | snip the sheet
staple the papers together | fasten the sheets with a stapler
put the tape on the box | seal the carton with adhesive strip
open the cardboard box | unpack the carton
close the box flaps | fold the carton's tabs shut
lift the box with both hands | raise the carton using two arms
hand over the bottle to the person | give the flask to the human
shake hands with the person | greet the human with a handshake
wave at the camera | greet the lens with the hand
give a thumbs up | show approval with the thumb
clap hands | applaud
walk up the stairs | climb the steps
walk down the hallway | go along the corridor
open the door and walk through | pass through the doorway after opening it
push the cart to the wall | move the trolley against the wall
pull the chair out from the desk | draw the seat away from the table
sit down on the chair | take a seat
stand up from the sofa | rise off the couch
water the plant | give the flower pot some water
pick the tomato from the plant | harvest the ripe tomato
dig a hole in the soil | make a pit in the earth
rake the leaves | gather fallen foliage
screw the bolt into the plate | fasten the threaded rod to the panel
tighten the nut with the wrench | use a spanner to make the nut firm
hammer the nail into the wood | drive a nail in the timber
saw the wooden plank | cut the lumber board
drill a hole in the metal | bore an opening through steel
sand the surface | smooth the wood with abrasive paper
paint the wall with a roller | apply colour to the wall
glue the two parts together | bond the pieces with adhesive
solder the wire to the board | join the cable to the circuit with molten tin
sort the bolts by size | arrange the screws from small to large
place the gear on the shaft | mount the cogwheel on the axle
assemble the two lego bricks | join the toy building blocks
put the battery in the remote | load a cell into the TV controller
remove the battery from the device | take the cell out of the gadget
take the sim card out | eject the phone's chip
clean the lens with a cloth | wipe the camera glass
charge the phone | connect the mobile to power
put the headphones on the stand | hang up the headset
wind the cable into a coil | roll up the cord
untangle the rope | unknot the string
thread the needle | pull yarn through the eye of the needle
sew the button on the shirt | attach the button with stitches
iron the shirt | press the wrinkles out of the garment
put the clothes in the washing machine | load laundry into the washer
take the laundry out of the dryer | unload garments from the tumble drier
make the bed | straighten the blankets and pillows
fluff the pillow | plump up the cushion
close the curtains | draw the drapes
open the blinds | raise the window shades
vacuum the carpet | hoover the rug
mop the floor | wash the ground with a wet mop
dust the shelf | remove dirt from the bookcase
empty the trash can | take out the garbage
feed the dog | give food to the puppy
pet the cat | stroke the kitten
brush the teeth | clean teeth with a toothbrush
wash the hands with soap | rinse palms and fingers with a soap bar
comb the hair | groom the hair
put on the glasses | wear the spectacles
put the pill in the organizer | place the tablet in the medicine box
open the pill bottle | unscrew the medicine container
apply the bandage to the arm | dress the wound on the forearm
squeeze the sponge | wring out the scrubber
scrub the pan with the sponge | scour the skillet
rinse the spoon under the tap | hold the spoon beneath running water
dry the glass with a towel | wipe the wet tumbler
put the spatula in the drawer | store the turner in the kitchen drawer
grate the cheese | shred the cheddar
knead the dough | work the bread mixture by hand
roll out the dough with a pin | flatten the pastry
put the pizza in the oven | bake the pie
take the tray out of the oven | remove the baking sheet
season the meat with salt | sprinkle salt on the steak
chop the onion | dice an onion into pieces
squeeze the lemon | press juice out of the citrus
put ice in the glass | add frozen cubes to the tumbler
open the jar | unscrew the preserve container
close the jar with its lid | screw the top on the glass container
pour cereal into the bowl | fill a dish with cornflakes
scoop rice with the spoon | ladle grains
transfer the beans to the cup | move legumes into the mug
put the tea bag in the cup | drop a teabag into the mug
turn the kettle on | boil water
put the egg in the carton | place the egg in its box
pick up the strawberry | grasp the berry
place the orange in the drawer | put the citrus fruit into the drawer
put the eggplant in the pot | place the aubergine in the saucepan
move the corn to the stove | shift the maize to the cooker
put the mushroom in the bowl | place the fungus in the dish
take the sushi out of the pan | remove the raw fish roll from the skillet
put the toy duck in the box | place the rubber bird in the crate
put the teddy bear on the sofa | set the stuffed animal on the couch
roll the ball to the person | send the sphere rolling towards the human
throw the ball into the hoop | shoot the basketball
hit the ball with the racket | strike with a tennis bat
put the puzzle piece in its place | fit the jigsaw part
stack the cups | nest the tumblers into a tower
build a tower of cubes | construct a pile of blocks
knock over the tower | make the pile of blocks fall
arrange the blocks in a line | put the cubes in a row
move the yellow cube to the left | slide the golden block leftwards
push the green block forward | shove the emerald cube ahead
pull the rope towards you | drag the cord closer
slide the window open | move the sash aside
lock the door with the key | secure the entrance
ring the doorbell | press the bell at the entrance
put the letter in the mailbox | post the envelope
put the book on the shelf | return the novel to the bookcase
take the newspaper off the table | remove the journal from the desk
place the phone face down | lay the mobile screen downward
take a photo with the phone | shoot a picture using the mobile
scan the barcode | read the product code
pay with the card | make a purchase with plastic money
bag the groceries | pack the food shopping
put the can on the conveyor | place the tin on the moving belt
pick the parcel from the belt | grasp the package off the conveyor
put the package on the pallet | load the parcel onto the skid
unload the truck | take the freight off the lorry
drive forward and turn left at the intersection | go ahead and take a left at the crossroads
turn right at the traffic light | make a right turn at the signal
stop at the stop sign | halt at the octagonal road marker
park the car in the garage | leave the vehicle in its indoor bay
change lanes to overtake | switch lane to pass another vehicle
yield to the pedestrian | let the person on foot cross
merge onto the highway | join the motorway
reverse out of the parking spot | back the car out of its bay
follow the car in front | trail the vehicle ahead
drive around the roundabout | go through the traffic circle
take off and hover at two metres | lift off and hold position at 2 m altitude
land on the platform | touch down on the pad
fly a circle around the tower | orbit the mast
fly through the gate | pass the drone through the frame
return to the home position | go back to the launch point
inspect the power line | examine the electricity cable from the air
follow the river | track the stream from above
map the field | survey the farmland
inspect the pipe under water | examine the submerged tube
sample the water with the probe | take a measurement of the lake with the sensor
navigate to the kitchen | go to the cooking room
find the red chair | look for the crimson seat
dock at the charging station | return to the power dock
avoid the obstacle on the path | go around the object in the way
carry the tray to the table without spilling | bring the platter to the desk steadily
open the valve | turn the pipe handle to let flow through
`;

/** The pairs. */
export const paraphrases: readonly Paraphrase[] = pairs
  .trim()
  .split('\n')
  .map((line) => {
    const [task, query] = line.split(' | ');
    return { task, query };
  });

const verbs = ['pick up', 'place', 'move', 'push', 'grasp', 'lift', 'slide', 'take', 'put down', 'rotate'];
const colours = ['red', 'blue', 'green', 'yellow', 'white', 'black', 'orange', 'small', 'large', 'metal'];
const objects =
  'mug cup bowl plate spoon fork can bottle box block cube towel sponge apple banana carrot book pen phone cable screw lid pot pan drawer tray toy shoe glass jar'.split(
    ' ',
  );
const places = [
  ...['on the table', 'into the bin', 'next to the sink', 'onto the shelf', 'in the drawer', 'on the tray'],
  ...['to the left', 'behind the box', 'on the stove', 'into the basket'],
];

/** Creates distinct tasks from templates, none of them one of the pairs. */
export function createTasks(count: number, seed = 1): readonly string[] {
  const random = seededRandom(seed);
  const known = new Set(paraphrases.map(({ task }) => task));
  const tasks = new Set<string>();
  while (tasks.size < count) {
    const [verb, colour, object, place] = [verbs, colours, objects, places].map((list) => random.pick(list));
    const task = `${verb} the ${random.next() < 0.7 ? `${colour} ` : ''}${object}${random.next() < 0.7 ? ` ${place}` : ''}`;
    if (!known.has(task)) tasks.add(task);
  }
  return [...tasks];
}
