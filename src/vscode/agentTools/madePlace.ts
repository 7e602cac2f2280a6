/** Where a result is, in words for an agent. */
export function madePlace({
  path,
  url,
  problem,
  isElsewhere,
}: {
  readonly path: string | undefined;
  readonly url?: string | undefined;
  /** Why there's no file. */
  readonly problem?: string | undefined;
  /** True if the file is on the user's own computer and the workspace isn't, so that its path is useless there. */
  readonly isElsewhere: boolean;
}): string {
  const isOut = isElsewhere && path !== undefined;
  const file = isOut ? "in Parlance's Media view, on the user's own computer and not in this workspace" : path;
  return [file, url, problem].filter((place) => place !== undefined).join(' · ');
}
