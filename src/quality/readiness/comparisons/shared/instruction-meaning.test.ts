import { describe, expect, it } from 'vitest';
import { compareMeanings, readMeaning } from './instruction-meaning.ts';

const compare = (one: string, other: string) => compareMeanings(readMeaning(one), readMeaning(other));

/** Wordings as in LeRobot, RT-1, BridgeData, DROID, LIBERO and ALOHA sets. */
const paraphrases = [
  ['Put the red block into the right tray.', 'Pick up the red block and put it in the tray on the right.'],
  ['Grab the red cube and drop it in the bin.', 'Pick up the red cube and place it into the bin'],
  ['Put the lego brick into the transparent box', 'Pick up the lego block and place it in the clear box'],
  ['move coke can near apple', 'Move the coke can next to the apple'],
  ['close top drawer', 'shut the upper drawer'],
  ['pick apple from bowl', 'Take the apple out of the bowl'],
  ['knock redbull can over', 'knock over the redbull can'],
  ['put the eggplant in the pan', 'Move the eggplant into the pan'],
  ['put carrot on plate', 'place the carrot onto the plate.'],
  ['Fold the cloth from the bottom right to the top left', 'fold the cloth from bottom right to top left'],
  ['take the lid off the pot', 'remove lid from pot'],
  ['Put the marker in the cup', 'Pick up the marker and put it inside the cup'],
  ['Wipe the table with the towel', 'use the cloth to wipe the table'],
  ['Turn on the lamp', 'switch the lamp on'],
  ['put the bowl on the plate', 'pick up the bowl and place it on the plate'],
  ['turn on the stove', 'switch on the burner'],
  ['put the wine bottle on top of the cabinet', 'place the wine bottle atop the cabinet'],
  ['pick up the alphabet soup and place it in the basket', 'put the alphabet soup in the basket'],
  ['Insert the peg into the socket.', 'Put the peg in the socket'],
  ['fold the t-shirt', 'Fold the shirt.'],
  ['Sort the blocks by colour', 'organize the blocks by colour'],
  ['put the broccoli into the pot', 'pick up the broccoli and place it in the pot'],
  [
    'Take the lid off the pan and put it on the table',
    'Remove the lid from the pan and place it on the table',
  ],
  ['Hang the towel on the hook', 'hang up the towel on the hook'],
  ['put both moka pots on the stove', 'place the two moka pots on the stove'],
  [
    'put the yellow and white mug in the microwave and close it',
    'place the white and yellow mug inside the microwave and shut it',
  ],
  ['move 7up can near green can', 'move the 7up can close to the green can'],
  ['Put the pen into the pencil holder', 'Place the pen inside the pencil holder.'],
  ['Pick up the screwdriver with the left hand', 'use the left arm to grasp the screwdriver'],
  ['open the middle drawer of the cabinet', "open the cabinet's middle drawer"],
] as const;
/** Paraphrases that the words do not show; motion decides, with more evidence than between texts that differ. */
const unclearParaphrases = [
  ['Move the blue bowl to the left', 'push the blue bowl left'],
  [
    'Pick up the cube with the right arm and transfer it to the left arm.',
    'grasp the cube using the right arm, then hand it to the left arm',
  ],
  ['close the drawer', 'push the drawer shut'],
  ['Open the zip bag', 'open the ziploc bag'],
] as const;
const differences = [
  [
    'Pick up the red block and put it in the tray on the right.',
    'Pick up the blue block and put it in the tray on the left.',
  ],
  [
    'Pick up the red block and put it in the tray on the right.',
    'Move the red block onto the blue plate on the left.',
  ],
  ['Put the red block into the right tray.', 'Put the red block into the left tray.'],
  ['Grab the red cube', 'Grab the blue cube'],
  ['Stack the red block on the blue block', 'Stack the blue block on the red block'],
  ['Pick up two blocks', 'Pick up three blocks'],
  ['open middle drawer', 'close middle drawer'],
  ['open top drawer', 'open bottom drawer'],
  ['move apple near coke can', 'pick apple from bowl'],
  ['place coke can upright', 'knock coke can over'],
  ['pick orange from white bowl', 'place orange into white bowl'],
  [
    'move the pot from the left burner to the right burner',
    'move the pot from the right burner to the left burner',
  ],
  ['put the spoon in the pan', 'put the carrot in the pan'],
  ['put the pot on the stove', 'take the pot off the stove'],
  ['fold the cloth', 'unfold the cloth'],
  ['turn lever vertical to front', 'open the microwave'],
  ['Put the marker in the cup', 'Take the marker out of the cup'],
  ['Pour the water from the cup into the bowl', 'Pour the water from the bowl into the cup'],
  ['Turn on the lamp', 'Turn off the lamp'],
  ['Push the drawer', 'Pull the drawer'],
  ['Press the button on the left', 'Press the button on the right'],
  ['Move the blue bowl to the left', 'Move the blue bowl to the right'],
  ['put the bowl on the plate', 'put the plate on the bowl'],
  ['put the white mug on the left plate', 'put the white mug on the right plate'],
  ['open the top drawer of the cabinet', 'open the middle drawer of the cabinet'],
  ['put the bowl on the stove', 'put the bowl under the stove'],
  ['pick up the tomato sauce and place it in the basket', 'pick up the butter and place it in the basket'],
  ['turn on the stove', 'put the moka pot on the stove'],
  [
    'place the book in the front compartment of the caddy',
    'place the book in the back compartment of the caddy',
  ],
  ['Pick up the cube', 'Place the cube'],
  ['Open the cup lid', 'Close the cup lid'],
  ['Put the screwdriver into the drawer', 'Do not put the screwdriver into the drawer'],
  ['Lift the arm', 'Lower the arm'],
  ['Fold the towel twice.', 'Put the red block into the right tray.'],
  ['Put the red cup on the left of the plate', 'Put the red cup on the right of the plate'],
  ['put the knife on the cutting board', 'take the knife off the cutting board'],
  ['sweep the beans into the pile', 'pour the beans into the bowl'],
  [
    'move the silver pot from the front left burner to the back right burner',
    'move the silver pot from the back right burner to the front left burner',
  ],
  ['Put the mug behind the plate', 'Put the mug in front of the plate'],
  ['Close the left cabinet door', 'Close the right cabinet door'],
  ['Put one block in the bowl', 'Put three blocks in the bowl'],
  ['put the cream cheese in the bowl', 'put the wine bottle in the bowl'],
  ['put the black bowl in the bottom drawer of the cabinet and close it', 'put the black bowl on the plate'],
  [
    'pick green rice chip bag from middle drawer and place on counter',
    'place green rice chip bag into middle drawer',
  ],
  ['Insert the red plug', 'Unplug the red plug'],
  ['Move the pawn from e2 to e4', 'Move the pawn from e4 to e2'],
  ['Unscrew the bottle cap', 'Screw the bottle cap on'],
] as const;

describe('two instructions', () => {
  it.each(paraphrases)('that are paraphrases are the same: %s / %s', (one, other) => {
    expect(compare(one, other)).toBe('same');
    expect(readMeaning(one).key).toBe(readMeaning(other).key);
  });

  it.each(unclearParaphrases)('that the words do not decide are unclear: %s / %s', (one, other) => {
    expect(compare(one, other)).toBe('unclear');
  });

  it.each(differences)('of different tasks differ, whichever comes first: %s / %s', (one, other) => {
    expect(compare(one, other)).toMatch(/^other_/);
    expect(compare(other, one)).toBe(compare(one, other));
  });

  it('that differ in colour, number or object alone may move the robot alike', () => {
    expect(compare('Grab the red cube', 'Grab the blue cube')).toBe('other_object');
    expect(compare('Pick up two blocks', 'Pick up three blocks')).toBe('other_object');
    expect(compare('put the spoon in the pan', 'put the carrot in the pan')).toBe('other_object');
  });

  it('of another place, direction or act move it differently', () => {
    expect(compare('Put the cube into the right tray', 'Put the cube into the left tray')).toBe(
      'other_motion',
    );
    expect(compare('open middle drawer', 'close middle drawer')).toBe('other_motion');
    expect(compare('Pick up the cube', 'Place the cube')).toBe('other_motion');
  });

  it('are unclear if one says more, or if their words are not listed', () => {
    expect(compare('open the drawer', 'open the top drawer')).toBe('unclear');
    expect(compare('put the frobnicator in the bowl', 'put the gizmo in the bowl')).toBe('unclear');
    expect(compare('legt den Stein in die Schale', '把红色方块放进盘子')).toBe('unclear');
  });
});
