export { ego4dReader } from './ego4d.ts';
export { epicKitchensReader } from './epic-kitchens.ts';
