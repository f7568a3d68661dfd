DROP INDEX `webhook_deliveries_by_state`;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`webhook_id`,`available_at`) WHERE state = 'queued';