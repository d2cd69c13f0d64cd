export { ego4dReader } from './ego4d/index.ts';
export { epicKitchensReader } from './epic-kitchens/index.ts';
