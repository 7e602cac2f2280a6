import assert from 'node:assert/strict';
import { decodeModels } from '../../../../src/api/wire/decodeModels.ts';
import { ModelIndex } from '../../../../src/core/models/modelIndex.ts';
import { onlyModel } from '../../../../src/core/models/onlyModel.ts';

const { models } = new ModelIndex(
  decodeModels([
    { id: 'maker/chat', type: 'chat' },
    { id: 'maker/film', type: 'video' },
    { id: 'maker/picture', type: 'image' },
    { id: 'maker/portrait', type: 'image' },
  ]),
);

describe('The only model that can do something', () => {
  it('is found among others', () => assert.equal(onlyModel(models, 'video'), 'maker/film'));

  it("isn't one of several", () => assert.equal(onlyModel(models, 'image'), undefined));

  it("doesn't exist if none can", () => assert.equal(onlyModel(models, 'audio'), undefined));
});
