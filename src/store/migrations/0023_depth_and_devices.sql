ALTER TABLE "annotations" ADD COLUMN "device" text DEFAULT 'cpu' NOT NULL;--> statement-breakpoint
ALTER TABLE "episodes" ADD COLUMN "depth_cameras" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "gpu_s" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "uncharged_gpu_s" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "gpu_price_usd_per_s" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "device_note" text;--> statement-breakpoint
CREATE INDEX "episodes_depth" ON "episodes" USING btree ("tenant_id","project_id","id") WHERE depth_cameras > 0;