CREATE TABLE "certification_policies" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"project_id" text NOT NULL,
	"version" integer NOT NULL,
	"policy_hash" text NOT NULL,
	"policy" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "certification_policies_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"tenant_id" text NOT NULL,
	"keyid" text NOT NULL,
	"public_key" text NOT NULL,
	"place" text NOT NULL,
	"valid_from" timestamp (3) with time zone NOT NULL,
	"valid_until" timestamp (3) with time zone,
	CONSTRAINT "signing_keys_tenant_id_keyid_pk" PRIMARY KEY("tenant_id","keyid")
);
--> statement-breakpoint
ALTER TABLE "exports" ALTER COLUMN "source_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "exports" ADD COLUMN "certification" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "certification_policies_version" ON "certification_policies" USING btree ("tenant_id","project_id","version");