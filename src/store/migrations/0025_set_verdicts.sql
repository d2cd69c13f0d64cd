ALTER TABLE "run_datasets" ADD COLUMN "usability" jsonb;--> statement-breakpoint
ALTER TABLE "run_units" ADD COLUMN "counts" jsonb;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "usability" jsonb;