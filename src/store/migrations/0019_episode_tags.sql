ALTER TABLE "episodes" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "episodes_tags" ON "episodes" USING gin ("tags");