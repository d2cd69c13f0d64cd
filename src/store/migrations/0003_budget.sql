CREATE TABLE "budgets" (
	"tenant_id" text PRIMARY KEY NOT NULL,
	"cap_usd" numeric(18, 6),
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "charges" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"reservation_id" text,
	"purpose_id" text NOT NULL,
	"project_id" text NOT NULL,
	"layer" text NOT NULL,
	"model" text,
	"compute_s" double precision NOT NULL,
	"amount_usd" numeric(18, 6) NOT NULL,
	"waived_usd" numeric(18, 6) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "charges_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE TABLE "reservations" (
	"tenant_id" text NOT NULL,
	"id" text NOT NULL,
	"purpose_id" text NOT NULL,
	"project_id" text NOT NULL,
	"reserved_usd" numeric(18, 6) NOT NULL,
	"open_usd" numeric(18, 6) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone,
	CONSTRAINT "reservations_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
CREATE INDEX "charges_time" ON "charges" USING btree ("tenant_id","created_at","amount_usd");--> statement-breakpoint
CREATE INDEX "reservations_open" ON "reservations" USING btree ("tenant_id","closed_at");--> statement-breakpoint
CREATE INDEX "reservations_purpose" ON "reservations" USING btree ("tenant_id","purpose_id");