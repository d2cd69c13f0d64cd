DROP INDEX "embeddings_project";--> statement-breakpoint
CREATE INDEX "embeddings_comparable" ON "embeddings" USING btree ("tenant_id","project_id","descriptor","version","layout","episode_id") WHERE vector IS NOT NULL;--> statement-breakpoint
CREATE INDEX "embeddings_missing" ON "embeddings" USING btree ("tenant_id","project_id","descriptor","version","episode_id") WHERE vector IS NULL;