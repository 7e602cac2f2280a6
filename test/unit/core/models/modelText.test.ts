import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { modelFromText, modelOfRemovedService, modelText } from '../../../../src/core/models/modelText.ts';
import { modelRef } from '../../../../src/shared/modelRef.ts';
import { useServiceNames } from '../../../../src/words/modelLabel.ts';

describe('A model in a setting or a prompt', () => {
  afterEach(() => useServiceNames({}));

  it("is the model as written while there's one service", () => {
    assert.equal(modelFromText('work/maker/model'), 'work/maker/model');
    useServiceNames({ service: 'work' });
    assert.equal(modelFromText('work/maker/model'), 'work/maker/model');
    useServiceNames({ other: 'work' });
    assert.equal(modelFromText('maker/model'), modelRef('other', 'maker/model'));
  });

  it('names its service from the second one on; without a name, it belongs to the first one', () => {
    useServiceNames({ service: 'host.example', 'my-work': 'My Work' });
    assert.equal(modelFromText('maker/model'), 'maker/model');
    assert.equal(modelFromText('model'), 'model');
    for (const text of ['My Work/maker/model', 'my work/maker/model', 'my-work/maker/model']) {
      assert.equal(modelFromText(text), modelRef('my-work', 'maker/model'), text);
    }
  });

  it("is read back as the same model, even if a provider has a service's name", () => {
    useServiceNames({ service: 'maker', other: 'Other' });
    for (const ref of ['maker/model', 'other/model', 'x', modelRef('other', 'maker/model'), modelRef('other', 'x')]) {
      assert.equal(modelFromText(modelText(ref)), ref, ref);
    }
    assert.equal(modelText('x/model'), 'x/model');
    assert.equal(modelText(modelRef('other', 'x')), 'other/x');
  });

  it('might name a service that was removed, as long as no other one has that name', () => {
    useServiceNames({ service: 'One', other: 'Other' }, { 'gone.example': 'Gone' });
    const gone = modelRef('gone.example', 'maker/model');
    assert.equal(modelOfRemovedService('gone/maker/model'), gone);
    assert.equal(modelOfRemovedService('gone.example/maker/model'), gone);
    assert.equal(modelOfRemovedService('maker/model'), undefined);
    assert.equal(modelOfRemovedService('model'), undefined);
    useServiceNames({ service: 'One', other: 'Gone' }, { 'gone.example': 'Gone' });
    assert.equal(modelOfRemovedService('gone/maker/model'), undefined);
  });

  it('names its service by any name that it had, but not by one that another service has or had later', () => {
    const former = [
      ['two', 'Wrok'],
      ['two', 'Work'],
      ['gone', 'Job'],
      ['two', 'Job'],
      ['two', 'Lab'],
      ['gone', 'Lab'],
    ] as const;
    useServiceNames({ service: 'One', two: 'Office', three: 'Work' }, Object.fromEntries(former), former);
    assert.equal(modelFromText('wrok/maker/model'), modelRef('two', 'maker/model'));
    assert.equal(modelFromText('Job/maker/model'), modelRef('two', 'maker/model'));
    assert.equal(modelFromText('Work/maker/model'), modelRef('three', 'maker/model'));
    assert.equal(modelOfRemovedService('Wrok/maker/model'), undefined);
    assert.equal(modelOfRemovedService('Lab/maker/model'), modelRef('gone', 'maker/model'));
  });

  it('prefers the service with that ID to another one with that name', () => {
    useServiceNames({ service: 'One', a: 'Lab', lab: 'Other' });
    assert.equal(modelFromText('lab/x'), modelRef('lab', 'x'));
  });
});
