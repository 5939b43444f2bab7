/// \file
/// The state table: growth when tasks arrive, views, snapshots, checkpoints.
#include "runtime/train/StateTable.h"

#include "TemporaryFolder.h"
#include "runtime/module/UserError.h"
#include "runtime/report/Checkpoint.h"
#include "runtime/report/Safetensors.h"

using namespace clm::runtime;
using namespace clm::testing;

static Manifest tableManifest() {
  Manifest manifest;
  manifest.name = "table";
  manifest.entries = {{"w", EntryRole::Parameter, false, {CLM_FLOAT32, {2}}, {}},
                      {"e", EntryRole::Parameter, true, {CLM_FLOAT32, {3}}, {}},
                      {"clf", EntryRole::Parameter, true, {CLM_FLOAT32, {kClasses, 2}}, {}},
                      {"steps", EntryRole::State, false, {CLM_INT64, {}}, {}},
                      {"sum", EntryRole::Accumulator, false, {CLM_FLOAT32, {2}}, {}}};
  return manifest;
}

static std::vector<double> range(double first, std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = first + static_cast<double>(i);
  return values;
}

TEST(TrainStateTable, GrowthKeepsWhatOldTasksOwn) {
  Manifest manifest = tableManifest();
  StateTable table(manifest, CLM_FLOAT32);
  writeValues(table.view(0, -1), range(1, 2));
  table.arrive(2);
  writeValues(table.view(1, 0), range(10, 3));
  writeValues(table.view(2, 0), range(20, 4));
  table.arrive(3);
  EXPECT_EQ(readValues(table.view(0, 1)), range(1, 2));
  EXPECT_EQ(readValues(table.view(1, 0)), range(10, 3));
  EXPECT_EQ(readValues(table.view(2, 0)), range(20, 4));
  EXPECT_EQ(readValues(table.view(1, 1)), std::vector<double>(3, 0));
  EXPECT_EQ(readValues(table.view(2, 1)), std::vector<double>(6, 0));
  EXPECT_EQ(table.view(2, 0).sizes[0], 2);
  EXPECT_EQ(table.view(2, 1).sizes[0], 3);
  // Stacked and joined storage are dense: a part begins where the one before ends.
  auto distance = [&](int entry) {
    return static_cast<float *>(table.view(entry, 1).data) - static_cast<float *>(table.view(entry, 0).data);
  };
  EXPECT_EQ(distance(1), 3);
  EXPECT_EQ(distance(2), 4);
}

TEST(TrainStateTable, AReferenceTableIsDouble) {
  Manifest manifest = tableManifest();
  StateTable table(manifest, CLM_FLOAT64);
  writeValues(table.view(0, -1), std::vector{0.1, 0.2});
  EXPECT_EQ(table.view(0, -1).element, CLM_FLOAT64);
  EXPECT_EQ(readValues(table.view(0, -1)), (std::vector{0.1, 0.2}));
  EXPECT_EQ(table.view(3, -1).element, CLM_INT64);
}

TEST(TrainStateTable, TasksThatHaveNotArrivedHaveNoView) {
  Manifest manifest = tableManifest();
  StateTable table(manifest, CLM_FLOAT32);
  EXPECT_THROW(table.view(1, 0), InternalError);
  table.arrive(2);
  EXPECT_THROW(table.view(1, 1), InternalError);
  EXPECT_EQ(table.find("clf"), 2);
  EXPECT_EQ(table.find("no"), -1);
}

TEST(TrainStateTable, SnapshotsRestoreEverything) {
  Manifest manifest = tableManifest();
  StateTable table(manifest, CLM_FLOAT32);
  table.arrive(2);
  writeValues(table.view(2, 0), range(20, 4));
  StateTable::Snapshot snapshot;
  table.save(snapshot);
  writeValues(table.view(2, 0), range(0, 4));
  writeValues(table.view(3, 0), range(7, 1));
  table.restore(snapshot);
  EXPECT_EQ(readValues(table.view(2, 0)), range(20, 4));
  EXPECT_EQ(readValues(table.view(3, 0)), range(0, 1));
  table.arrive(2);
  EXPECT_THROW(table.restore(snapshot), InternalError);
}

TEST(TrainStateTable, CheckpointsNameEveryTask) {
  TemporaryFolder folder;
  Manifest manifest = tableManifest();
  StateTable table(manifest, CLM_FLOAT32);
  table.arrive(2);
  table.arrive(3);
  writeValues(table.view(0, -1), range(1, 2));
  writeValues(table.view(1, 1), range(10, 3));
  writeValues(table.view(3, -1), range(5, 1));
  writeCheckpoint(folder / "c.safetensors", table);
  SafetensorsFile file = SafetensorsFile::read(folder / "c.safetensors");
  EXPECT_EQ(file.metadata().at("classes_per_task"), "2,3");
  EXPECT_EQ(file.find("tasks.1.e")->values(), range(10, 3));
  EXPECT_EQ(file.find("tasks.1.clf")->shape, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(file.find("steps")->integers(), (std::vector<std::int64_t>{5}));
  EXPECT_EQ(file.find("sum"), nullptr) << "accumulators are not kept";

  StateTable other(manifest, CLM_FLOAT32);
  EXPECT_THROW(readCheckpoint(folder / "c.safetensors", other), UserError) << "tasks have not arrived";
  other.arrive(2);
  other.arrive(3);
  readCheckpoint(folder / "c.safetensors", other);
  EXPECT_EQ(readValues(other.view(1, 1)), range(10, 3));
  EXPECT_EQ(readValues(other.view(0, -1)), range(1, 2));
  StateTable precise(manifest, CLM_FLOAT64);
  precise.arrive(2);
  precise.arrive(3);
  EXPECT_THROW(readCheckpoint(folder / "c.safetensors", precise), UserError);
}
