export { type Assessment, assessmentSchema } from './assessment.ts';
export {
  type Component,
  componentSchema,
  type Decision,
  findingSchema,
  flagSchema,
  markSchema,
  type Receipt,
  type ReceiptFlag,
  receiptSchema,
} from './receipt.ts';
export { type ReadinessSettings, readinessSettingsSchema, settingBounds } from './settings.ts';
