declare const ref: unique symbol;

/**
 * A model of a service, as Parlance identifies models everywhere. A string, so that it can be compared, stored, and
 * used as a key; `modelRef` creates one, and `refParts` splits it. A model of the main service is its own ref, so any
 * model ID can be one.
 */
export type ModelRef = string & { readonly [ref]?: true };

/** A model's ID as its own service spells it, for requests. It's never a ref of another service. */
export type WireModel = string & { readonly [ref]?: never };

/** The ID of the first service if the user gave it none. */
export const mainServiceId = 'service';

const otherService = /^([a-z0-9][a-z0-9.-]{0,63})::([^]*)$/;

/**
 * @param service its ID
 * @param model empty for requests without a model
 */
export function modelRef(service: string, model: WireModel): ModelRef {
  return service === mainServiceId && !otherService.test(model) ? model : `${service}::${model}`;
}

export function refParts(model: ModelRef): { readonly service: string; readonly model: WireModel } {
  const [, service = mainServiceId, own = String(model)] = otherService.exec(model) ?? [];
  return { service, model: own };
}
