/**
 * Whether the model that replied isn't the requested one, for example a gateway's fallback or a dated version. A
 * service that only leaves out the provider, or changes the case of the ID, means the same model.
 */
export function isOtherModel(answeredBy: string | undefined, asked: string): answeredBy is string {
  if (answeredBy === undefined || answeredBy === '') return false;
  const name = asked.slice(asked.lastIndexOf('/') + 1);
  return ![asked, name].some((each) => each.toLowerCase() === answeredBy.toLowerCase());
}
