CREATE TABLE "ontologies" (
	"tenant_id" text NOT NULL,
	"owner_id" text NOT NULL,
	"declared" jsonb NOT NULL,
	"renames" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ontologies_tenant_id_owner_id_pk" PRIMARY KEY("tenant_id","owner_id")
);
