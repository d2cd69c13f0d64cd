import { cloud, type Picture } from '../picture.ts';

export const roadSize = { width: 256, height: 160 } as const;
const horizon = 66;
const camera = { height_m: 1.35, focal_px: 190 } as const;

const ground = cloud(256, 256, 4, 881);
const trees = cloud(1024, 80, 9, 882);

/** The road ahead: asphalt, lane marks that come nearer as the car travels, trees that pass as it turns. */
export function drawRoad(picture: Picture, travelled_m: number, heading: number, bend_rad: number): void {
  const { width, height } = roadSize;
  const luma = width * height;
  const { bytes } = picture;
  for (let y = 0; y < horizon; y++) {
    for (let x = 0; x < width; x++) {
      const column = Math.round(x + heading * 420 + 4096) & 1023;
      const tree = trees[Math.min(79, y) * 1024 + column];
      const crown = y > 34 + 9 * trees[40 * 1024 + column];
      bytes[y * width + x] = crown ? 74 + 26 * tree : 196 - y * 0.5 + 3 * tree;
    }
  }
  for (let y = horizon; y < height; y++) {
    const depth_m = (camera.height_m * camera.focal_px) / (y - horizon + 0.5);
    const centre = width / 2 + (bend_rad * depth_m * 14) / (1 + depth_m * 0.05);
    const lane_px = (1.8 * camera.focal_px) / depth_m;
    const row = Math.floor((depth_m + travelled_m) * 6) & 255;
    const dashed = (depth_m + travelled_m) % 9 < 4;
    for (let x = 0; x < width; x++) {
      const across = (x - centre) / lane_px;
      const grain = ground[row * 256 + (Math.floor(across * 40 + 4096) & 255)];
      const edge = Math.abs(Math.abs(across) - 2.1) < 0.06;
      const middle = dashed && Math.abs(across + 0.95) < 0.05;
      const verge = Math.abs(across) > 2.4;
      bytes[y * width + x] = edge || middle ? 214 : (verge ? 104 : 86) + 15 * grain;
    }
  }
  const split = luma + (width >> 1) * (horizon >> 1);
  bytes.fill(124, luma, luma * 1.25);
  bytes.fill(126, luma * 1.25);
  bytes.fill(136, luma, split);
}
