DROP INDEX "annotations_episode";--> statement-breakpoint
ALTER TABLE "annotations" DROP CONSTRAINT "annotations_tenant_id_id_pk";--> statement-breakpoint
ALTER TABLE "annotations" ADD CONSTRAINT "annotations_tenant_id_episode_id_layer_pk" PRIMARY KEY("tenant_id","episode_id","layer");--> statement-breakpoint
ALTER TABLE "job_items" SET (fillfactor = 50);--> statement-breakpoint
DELETE FROM "job_items" WHERE "state" = 'done';
