CREATE TABLE "copilot_confirmations" (
	"tenant_id" text NOT NULL,
	"owner_id" text NOT NULL,
	"message_hash" text NOT NULL,
	"tool" text NOT NULL,
	"argument_hash" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "copilot_confirmations_pk" PRIMARY KEY("tenant_id","owner_id","message_hash","tool","argument_hash")
);
--> statement-breakpoint
CREATE TABLE "copilot_messages" (
	"tenant_id" text NOT NULL,
	"thread_id" text NOT NULL,
	"place" integer NOT NULL,
	"role" text NOT NULL,
	"content" text NOT NULL,
	"turn" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "copilot_messages_tenant_id_thread_id_place_pk" PRIMARY KEY("tenant_id","thread_id","place")
);
--> statement-breakpoint
CREATE TABLE "copilot_threads" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"owner_id" text NOT NULL,
	"project_id" text,
	"title" text NOT NULL,
	"messages" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "copilot_threads_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "support_queries" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"project_id" text,
	"subject" text NOT NULL,
	"message" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "support_queries_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "charges" ALTER COLUMN "project_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "reservations" ALTER COLUMN "project_id" DROP NOT NULL;--> statement-breakpoint
CREATE INDEX "copilot_threads_owner" ON "copilot_threads" USING btree ("tenant_id","owner_id","id");