/** Where something is that was generated, in words for an agent. */
export function madePlace({
  path,
  url,
  problem,
  isElsewhere,
}: {
  readonly path: string | undefined;
  readonly url?: string | undefined;
  /** Why the file isn't here. */
  readonly problem?: string | undefined;
  /** True where the file is on the person's own computer and the workspace is not: there its path leads nowhere. */
  readonly isElsewhere: boolean;
}): string {
  const isOut = isElsewhere && path !== undefined;
  const file = isOut ? "in Parlance's Media view, on the user's own computer and not in this workspace" : path;
  return [file, url, problem].filter((place) => place !== undefined).join(' · ');
}
