"""What h5py reads in HDF5 files, for comparison: a line of JSON a file, with a hash of every array and the attributes.

Usage: hdf5_truth.py FILE…
"""
import hashlib
import json
import sys

import h5py
import numpy as np


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def described(dataset):
    if dataset.shape is None:
        return ['number', [0], sha256(b'')]
    shape = list(dataset.shape)
    values = np.asarray(dataset[()])
    text = h5py.check_string_dtype(dataset.dtype)
    if text is not None:
        flat = [item if isinstance(item, bytes) else bytes(item) for item in values.reshape(-1)]
        return ['text', shape, sha256(b'\n'.join(flat))]
    element = h5py.check_vlen_dtype(dataset.dtype)
    if element is not None:
        # A scalar sequence comes back without its wrapping.
        flat = [values] if dataset.shape == () else values.reshape(-1)
        return ['sequence', shape, sha256(b''.join(np.asarray(item, dtype=element).tobytes() for item in flat))]
    if values.dtype.kind in 'iufb':
        numbers = np.nan_to_num(values.astype('<f8'), nan=-12345.5, posinf=1e308, neginf=-1e308)
        return ['number', list(values.shape), sha256(numbers.tobytes())]
    return ['bytes', shape + list(dataset.dtype.shape), sha256(values.tobytes())]


def attribute(value):
    if isinstance(value, h5py.Empty):
        return None
    if isinstance(value, (bytes, str)):
        return value.decode() if isinstance(value, bytes) else value
    values = np.asarray(value)
    if values.dtype.kind in 'iufb':
        flat = values.astype('f8').reshape(-1).tolist()
        return flat if values.shape else flat[0]
    if values.dtype.kind in 'OSU':
        return [item.decode() if isinstance(item, bytes) else str(item) for item in values.reshape(-1)]
    return 'not read'


def truth(path):
    found = {}
    with h5py.File(path) as file:
        seen = {file.id.__hash__()}

        def look(group, prefix):
            for name in group:
                if isinstance(group.get(name, getlink=True), (h5py.SoftLink, h5py.ExternalLink)):
                    continue
                item, at = group[name], f'{prefix}/{name}'
                if isinstance(item, h5py.Dataset):
                    try:
                        found[at] = described(item)
                    except OSError as error:
                        found[at] = ['unread', str(error)]
                elif isinstance(item, h5py.Group):
                    if item.id.__hash__() in seen:
                        continue
                    seen.add(item.id.__hash__())
                    look(item, at)
                else:
                    continue
                if len(item.attrs):
                    found[f'{at}@'] = {key: attribute(value) for key, value in item.attrs.items()}

        look(file, '')
    return found


for path in sys.argv[1:]:
    print(json.dumps(truth(path)))
