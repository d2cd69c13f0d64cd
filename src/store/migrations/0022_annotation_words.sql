ALTER TABLE "annotations" ADD COLUMN "words" "tsvector";--> statement-breakpoint
CREATE INDEX "annotations_words" ON "annotations" USING gin ("words") WHERE words IS NOT NULL;