CREATE TABLE "notification_deliveries" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"event_id" text NOT NULL,
	"target_id" text NOT NULL,
	"forced" boolean NOT NULL,
	"redelivery_of" text,
	"status" text NOT NULL,
	"attempts" integer NOT NULL,
	"response_status" integer,
	"duration_ms" integer,
	"error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_attempt_at" timestamp (3) with time zone,
	"next_attempt_at" timestamp (3) with time zone,
	CONSTRAINT "notification_deliveries_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "notification_events" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notification_events_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "notification_targets" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"project_id" text,
	"name" text NOT NULL,
	"destination" text NOT NULL,
	"events" jsonb,
	"secret" text,
	"previous_secret" text,
	"previous_secret_until" timestamp (3) with time zone,
	"enabled" boolean NOT NULL,
	"disabled_reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "notification_targets_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "review_queues" (
	"tenant_id" text NOT NULL,
	"project_id" text NOT NULL,
	"filled" boolean NOT NULL,
	CONSTRAINT "review_queues_tenant_id_project_id_pk" PRIMARY KEY("tenant_id","project_id")
);
--> statement-breakpoint
ALTER TABLE "budgets" ADD COLUMN "notified_cap_usd" numeric(18, 6);--> statement-breakpoint
ALTER TABLE "budgets" ADD COLUMN "notified_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "notification_deliveries_target" ON "notification_deliveries" USING btree ("tenant_id","target_id","id");--> statement-breakpoint
CREATE INDEX "notification_deliveries_age" ON "notification_deliveries" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE INDEX "notification_events_age" ON "notification_events" USING btree ("tenant_id","created_at");