// Why a migration or a retirement cannot be done as requested. The text is for the user.
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
