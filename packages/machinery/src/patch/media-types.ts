// The media types of patches, by the names of kubectl's --type.

/** The media types of patches. */
export const PATCH_MEDIA_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  // JSON is YAML, and older servers have no other media type for apply.
  apply: 'application/apply-patch+yaml',
} as const;

/** The types of patches. */
export type PatchType = keyof typeof PATCH_MEDIA_TYPES;
