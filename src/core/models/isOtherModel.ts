/**
 * Whether the model that replied is another than the one that was asked: a gateway's fallback, a dated version. A
 * service that only leaves out the provider, or writes the ID in other letters, names the same one.
 */
export function isOtherModel(answeredBy: string | undefined, asked: string): answeredBy is string {
  if (answeredBy === undefined || answeredBy === '') return false;
  const name = asked.slice(asked.lastIndexOf('/') + 1);
  return ![asked, name].some((each) => each.toLowerCase() === answeredBy.toLowerCase());
}
