import { alohaPlants } from './aloha.ts';
import { cocoPlants } from './coco.ts';
import { replayPlants } from './diffusion-policy.ts';
import { kittiPlants } from './kitti.ts';
import { nuScenesPlants } from './nuscenes.ts';
import type { PlantedFormat } from './plant.ts';
import { robomimicPlants } from './robomimic.ts';
import { tfdsPlants } from './tfds.ts';
import { yoloPlants } from './yolo.ts';

/** Recordings that break each rule of the contracts, a format a row. */
export const plantedFormats: readonly PlantedFormat[] = [
  robomimicPlants,
  alohaPlants,
  tfdsPlants,
  replayPlants,
  cocoPlants,
  yoloPlants,
  kittiPlants,
  nuScenesPlants,
];
