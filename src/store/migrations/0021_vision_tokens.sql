ALTER TABLE "jobs" ADD COLUMN "prompt_tokens" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "completion_tokens" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "tokens_usd" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "uncharged_tokens_usd" double precision DEFAULT 0 NOT NULL;