"""What pykitti does with the drives of a day, and the devkit of nuScenes with a version."""
import os
import re

from aloha_loaders import RefusesRows


def pykitti(folder):
    """Opens every drive, and takes each frame of each sensor: it must be what the file of that number holds."""
    import numpy as np
    from PIL import Image
    import pykitti as kitti

    wrong = False
    for day in sorted(os.listdir(folder)):
        for name in sorted(os.listdir(os.path.join(folder, day))):
            found = re.fullmatch(r"(\d{4}_\d\d_\d\d)_drive_(\d{4})_(sync|extract)", name)
            if found is None:
                continue
            drive = kitti.raw(folder, found[1], found[2], dataset=found[3])
            at = lambda sensor, i, end: os.path.join(drive.data_path, sensor, "data", f"{i:010d}.{end}")
            for i in range(len(drive)):
                try:
                    size, scan, packet = drive.get_cam0(i).size, drive.get_velo(i), drive.oxts[i].packet
                except Exception as error:
                    raise RefusesRows(error) from error
                try:
                    wrong = wrong or size != Image.open(at("image_00", i, "png")).size
                    wrong = wrong or len(scan) * 16 != os.path.getsize(at("velodyne_points", i, "bin"))
                    with open(at("oxts", i, "txt")) as file:
                        wrong = wrong or packet.lat != float(file.read().split()[0])
                except FileNotFoundError:
                    wrong = True
                if wrong:
                    return "serves_wrong_rows"


def nuscenes(folder):
    """Opens a version; walks every scene by its samples, and takes every measurement with its boxes and its file."""
    from nuscenes.nuscenes import NuScenes
    from nuscenes.utils.data_classes import LidarPointCloud
    from PIL import Image

    found = NuScenes("v1.0-mini", folder, verbose=False)
    small = [name for name in found.table_names if name not in ("sample_data", "ego_pose", "sample_annotation")]
    for name in small:
        if any(found.get(name, record["token"]) is not record for record in getattr(found, name)):
            return "serves_wrong_rows"
    try:
        for sample in found.sample:
            for link in ("prev", "next"):
                if sample[link] != "":
                    found.get("sample", sample[link])
            for box in sample["anns"]:
                found.box_velocity(box)
        for record in found.sample_data:
            path, _, _ = found.get_sample_data(record["token"])
            if record["sensor_modality"] == "lidar":
                LidarPointCloud.from_file(path)
            elif record["sensor_modality"] == "camera":
                Image.open(path).load()
            else:
                open(path, "rb").close()
    except Exception as error:
        raise RefusesRows(error) from error
