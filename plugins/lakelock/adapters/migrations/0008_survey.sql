ALTER TABLE lakelock.batches ADD COLUMN survey jsonb;
COMMENT ON COLUMN lakelock.batches.survey IS 'How far every source was planned with the batch; its commits compute the valid-through timestamp from it.';
