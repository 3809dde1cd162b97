// Why a migration or a retirement cannot be done as requested. The text is for the user.
/** A migration that cannot continue, for a reason that the user can act on. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
