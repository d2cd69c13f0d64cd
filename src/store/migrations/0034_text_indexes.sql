CREATE TABLE "text_indexes" (
	"tenant_id" text NOT NULL,
	"project_id" text NOT NULL,
	"model" text NOT NULL,
	"completed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "text_indexes_tenant_id_project_id_model_pk" PRIMARY KEY("tenant_id","project_id","model")
);
