// Census of stored versions, storage migration and retirement of versions, through the API of any Kubernetes
// server.
export {
  changeVersions,
  crdName,
  hasVersion,
  readDefinition,
  requireVersion,
  servedVersionOf,
  storageVersionOf,
  writeStoredVersions,
} from './definition/definition.ts';
export { switchStorage, untilStored } from './definition/switch-storage.ts';
export { convertByFields, type FieldLens } from './lens/form-by-fields.ts';
export { type LensTask, migrateByLens } from './lens/migrate-by-lens.ts';
export { type Repair, repairManagedFields } from './managed-fields/repair.ts';
export { MigrationError } from './migration-error.ts';
export { doStep, undoStep } from './retire/do-step.ts';
export { type DoneStep, RetirementJournal } from './retire/journal.ts';
export { printSteps } from './retire/print-steps.ts';
export { activeClients, type RetirementState, readRetirementState } from './retire/retirement-state.ts';
export { duration, type RetirementStep, type StepName, stepsOf } from './retire/steps.ts';
export { type Clients, type ClientUse, readClients } from './retire/version-clients.ts';
export { type Migrated, type MigrateOptions, migrate, type Progress } from './run/migrate.ts';
export { type Counts, type MigrationOutcome, type ReportEntry, totalOf } from './run/outcome.ts';
export { Pace } from './run/pace.ts';
export { type Pruning, proveAndPrune } from './run/prove-and-prune.ts';
export { type MigrationState, StateFile } from './run/state-file.ts';
export { printStored } from './stored/print-stored.ts';
export { type CensusStatus, readCensus } from './stored/read-census.ts';
export {
  type InferredStored,
  type KnownStored,
  readStored,
  type Stored,
  type StoredOptions,
} from './stored/read-stored.ts';
