CREATE TABLE "tenant_models" (
	"tenant_id" text PRIMARY KEY NOT NULL,
	"models" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
