export type {
  Aspect,
  Check,
  CheckId,
  ComparedNotes,
  FlagRow,
  Mark,
  Measured,
  Subject,
  Threshold,
} from './check.ts';
export type { ComparedFacts, ComparedRow, Comparison, Conclusion } from './comparison.ts';
