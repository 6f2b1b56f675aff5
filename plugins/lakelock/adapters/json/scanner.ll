; Made of scanner.c by `python -m native`; SHA-256 of that file:
; 11152a8b20e40665e3f2ac8a1379b5b83ef105a472a0c1cb3c4f1dc631d03581

%struct.level = type { i64, i64, i64, i64, i64, i64, i8, i8, i8 }
%struct.node = type { ptr, i64, i64, i64, i64, i64 }

@.str = private constant [5 x i8] c"true\00", align 1
@.str.1 = private constant [6 x i8] c"false\00", align 1
@.str.2 = private constant [5 x i8] c"null\00", align 1

define void @scan_records(ptr %0) {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = getelementptr inbounds i8, ptr %0, i64 104
  %5 = load ptr, ptr %4, align 8
  %6 = icmp eq ptr %5, null
  br i1 %6, label %10, label %7

7:                                                ; preds = %1
  %8 = getelementptr inbounds i8, ptr %0, i64 112
  %9 = load ptr, ptr %8, align 8
  store i64 0, ptr %9, align 8
  br label %10

10:                                               ; preds = %7, %1
  %11 = getelementptr inbounds i8, ptr %0, i64 40
  %12 = load i64, ptr %11, align 8
  %13 = icmp sgt i64 %12, 0
  br i1 %13, label %14, label %28

14:                                               ; preds = %10
  %15 = getelementptr inbounds i8, ptr %0, i64 56
  %16 = getelementptr inbounds i8, ptr %0, i64 48
  %17 = getelementptr inbounds i8, ptr %0, i64 8
  %18 = getelementptr inbounds i8, ptr %0, i64 16
  %19 = getelementptr inbounds i8, ptr %0, i64 72
  %20 = getelementptr inbounds i8, ptr %0, i64 80
  %21 = getelementptr inbounds i8, ptr %0, i64 64
  %22 = getelementptr inbounds i8, ptr %0, i64 120
  %23 = getelementptr inbounds i8, ptr %0, i64 32
  %24 = getelementptr inbounds i8, ptr %0, i64 24
  %25 = getelementptr inbounds i8, ptr %0, i64 96
  %26 = getelementptr inbounds i8, ptr %0, i64 88
  %27 = getelementptr inbounds i8, ptr %0, i64 112
  br label %29

28:                                               ; preds = %687, %10
  ret void

29:                                               ; preds = %14, %687
  %30 = phi i64 [ 0, %14 ], [ %688, %687 ]
  %31 = phi i64 [ 0, %14 ], [ %35, %687 ]
  %32 = load ptr, ptr %15, align 8
  %33 = getelementptr inbounds i64, ptr %32, i64 %31
  %34 = load i64, ptr %33, align 8
  %35 = add i64 %31, 1
  %36 = getelementptr inbounds i64, ptr %32, i64 %35
  %37 = load i64, ptr %36, align 8
  %38 = add i64 %37, -1
  %39 = load ptr, ptr %16, align 8
  %40 = load ptr, ptr %17, align 8
  %41 = icmp slt i64 %34, %38
  br i1 %41, label %42, label %49

42:                                               ; preds = %29, %46
  %43 = phi i64 [ %47, %46 ], [ %34, %29 ]
  %44 = getelementptr inbounds i8, ptr %39, i64 %43
  %45 = load i8, ptr %44, align 1
  switch i8 %45, label %49 [
    i8 32, label %46
    i8 13, label %46
    i8 9, label %46
    i8 10, label %46
  ]

46:                                               ; preds = %42, %42, %42, %42
  %47 = add i64 %43, 1
  %48 = icmp eq i64 %47, %38
  br i1 %48, label %664, label %42

49:                                               ; preds = %42, %29
  %50 = phi i64 [ %34, %29 ], [ %43, %42 ]
  %51 = icmp slt i64 %50, %38
  br i1 %51, label %52, label %664

52:                                               ; preds = %49
  %53 = getelementptr inbounds i8, ptr %39, i64 %50
  %54 = load i8, ptr %53, align 1
  %55 = icmp eq i8 %54, 123
  br i1 %55, label %56, label %664

56:                                               ; preds = %52, %657
  %57 = phi i8 [ %663, %657 ], [ 123, %52 ]
  %58 = phi i64 [ %661, %657 ], [ 0, %52 ]
  %59 = phi i64 [ %660, %657 ], [ -1, %52 ]
  %60 = phi i64 [ %659, %657 ], [ %30, %52 ]
  %61 = phi i64 [ %658, %657 ], [ %50, %52 ]
  %62 = getelementptr inbounds i8, ptr %39, i64 %61
  %63 = icmp eq i8 %57, 123
  switch i8 %57, label %115 [
    i8 123, label %64
    i8 91, label %64
  ]

64:                                               ; preds = %56, %56
  %65 = add i64 %59, 1
  %66 = load i64, ptr %18, align 8
  %67 = icmp slt i64 %65, %66
  br i1 %67, label %68, label %664

68:                                               ; preds = %64
  %69 = getelementptr inbounds %struct.level, ptr %40, i64 %65
  %70 = zext i1 %63 to i8
  %71 = getelementptr inbounds i8, ptr %69, i64 48
  store i8 %70, ptr %71, align 8
  %72 = getelementptr inbounds i8, ptr %69, i64 50
  store i8 0, ptr %72, align 2
  %73 = getelementptr inbounds i8, ptr %69, i64 49
  store i8 0, ptr %73, align 1
  store i64 %58, ptr %69, align 8
  %74 = icmp slt i64 %58, 0
  br i1 %74, label %81, label %75

75:                                               ; preds = %68
  %76 = load ptr, ptr %0, align 8
  %77 = getelementptr inbounds %struct.node, ptr %76, i64 %58
  %78 = getelementptr inbounds i8, ptr %77, i64 16
  %79 = load i64, ptr %78, align 8
  %80 = add i64 %79, -1
  br label %81

81:                                               ; preds = %75, %68
  %82 = phi i64 [ %80, %75 ], [ -1, %68 ]
  %83 = getelementptr inbounds i8, ptr %69, i64 40
  store i64 %82, ptr %83, align 8
  %84 = getelementptr inbounds i8, ptr %69, i64 32
  store i64 -1, ptr %84, align 8
  %85 = add i64 %61, 1
  %86 = icmp slt i64 %85, %38
  br i1 %86, label %87, label %94

87:                                               ; preds = %81, %91
  %88 = phi i64 [ %92, %91 ], [ %85, %81 ]
  %89 = getelementptr inbounds i8, ptr %39, i64 %88
  %90 = load i8, ptr %89, align 1
  switch i8 %90, label %94 [
    i8 32, label %91
    i8 13, label %91
    i8 9, label %91
    i8 10, label %91
  ]

91:                                               ; preds = %87, %87, %87, %87
  %92 = add i64 %88, 1
  %93 = icmp eq i64 %92, %38
  br i1 %93, label %664, label %87

94:                                               ; preds = %87, %81
  %95 = phi i64 [ %85, %81 ], [ %88, %87 ]
  %96 = icmp slt i64 %95, %38
  br i1 %96, label %97, label %664

97:                                               ; preds = %94
  %98 = getelementptr inbounds i8, ptr %39, i64 %95
  %99 = load i8, ptr %98, align 1
  %100 = zext i8 %99 to i32
  %101 = select i1 %63, i32 125, i32 93
  %102 = icmp eq i32 %101, %100
  br i1 %102, label %478, label %103

103:                                              ; preds = %97
  %104 = or i1 %63, %74
  br i1 %104, label %114, label %105

105:                                              ; preds = %103
  %106 = load ptr, ptr %0, align 8
  %107 = getelementptr inbounds %struct.node, ptr %106, i64 %58
  %108 = getelementptr inbounds i8, ptr %107, i64 40
  %109 = load i64, ptr %108, align 8
  %110 = icmp eq i64 %109, 2
  br i1 %110, label %111, label %657

111:                                              ; preds = %105
  %112 = getelementptr inbounds i8, ptr %107, i64 16
  %113 = load i64, ptr %112, align 8
  br label %657

114:                                              ; preds = %103
  br i1 %63, label %498, label %657

115:                                              ; preds = %56
  switch i8 %57, label %164 [
    i8 34, label %116
    i8 116, label %119
    i8 102, label %134
    i8 110, label %149
  ]

116:                                              ; preds = %115
  %117 = add i64 %61, 1
  %118 = call fastcc i64 @end_of_string(ptr %39, i64 %117, i64 %38, ptr %2)
  br label %249

119:                                              ; preds = %115
  %120 = sub i64 %38, %61
  %121 = icmp slt i64 %120, 4
  br i1 %121, label %248, label %125

122:                                              ; preds = %125
  %123 = add i64 %126, 1
  %124 = icmp eq i64 %123, 4
  br i1 %124, label %132, label %125

125:                                              ; preds = %119, %122
  %126 = phi i64 [ %123, %122 ], [ 0, %119 ]
  %127 = getelementptr i8, ptr %62, i64 %126
  %128 = load i8, ptr %127, align 1
  %129 = getelementptr inbounds i8, ptr @.str, i64 %126
  %130 = load i8, ptr %129, align 1
  %131 = icmp eq i8 %128, %130
  br i1 %131, label %122, label %248

132:                                              ; preds = %122
  %133 = add i64 %61, 4
  br label %249

134:                                              ; preds = %115
  %135 = sub i64 %38, %61
  %136 = icmp slt i64 %135, 5
  br i1 %136, label %248, label %140

137:                                              ; preds = %140
  %138 = add i64 %141, 1
  %139 = icmp eq i64 %138, 5
  br i1 %139, label %147, label %140

140:                                              ; preds = %134, %137
  %141 = phi i64 [ %138, %137 ], [ 0, %134 ]
  %142 = getelementptr i8, ptr %62, i64 %141
  %143 = load i8, ptr %142, align 1
  %144 = getelementptr inbounds i8, ptr @.str.1, i64 %141
  %145 = load i8, ptr %144, align 1
  %146 = icmp eq i8 %143, %145
  br i1 %146, label %137, label %248

147:                                              ; preds = %137
  %148 = add i64 %61, 5
  br label %249

149:                                              ; preds = %115
  %150 = sub i64 %38, %61
  %151 = icmp slt i64 %150, 4
  br i1 %151, label %248, label %155

152:                                              ; preds = %155
  %153 = add i64 %156, 1
  %154 = icmp eq i64 %153, 4
  br i1 %154, label %162, label %155

155:                                              ; preds = %149, %152
  %156 = phi i64 [ %153, %152 ], [ 0, %149 ]
  %157 = getelementptr i8, ptr %62, i64 %156
  %158 = load i8, ptr %157, align 1
  %159 = getelementptr inbounds i8, ptr @.str.2, i64 %156
  %160 = load i8, ptr %159, align 1
  %161 = icmp eq i8 %158, %160
  br i1 %161, label %152, label %248

162:                                              ; preds = %152
  %163 = add i64 %61, 4
  br label %249

164:                                              ; preds = %115
  %165 = icmp eq i8 %57, 45
  %166 = zext i1 %165 to i64
  %167 = add i64 %61, %166
  %168 = icmp slt i64 %167, %38
  br i1 %168, label %169, label %248

169:                                              ; preds = %164
  %170 = getelementptr inbounds i8, ptr %39, i64 %167
  %171 = load i8, ptr %170, align 1
  %172 = icmp eq i8 %171, 48
  br i1 %172, label %173, label %175

173:                                              ; preds = %169
  %174 = add i64 %167, 1
  br label %190

175:                                              ; preds = %169
  %176 = add i8 %171, -58
  %177 = icmp ult i8 %176, -10
  br i1 %177, label %248, label %178

178:                                              ; preds = %175, %184
  %179 = phi i64 [ %185, %184 ], [ %167, %175 ]
  %180 = getelementptr inbounds i8, ptr %39, i64 %179
  %181 = load i8, ptr %180, align 1
  %182 = add i8 %181, -58
  %183 = icmp ult i8 %182, -10
  br i1 %183, label %187, label %184

184:                                              ; preds = %178
  %185 = add i64 %179, 1
  %186 = icmp eq i64 %185, %38
  br i1 %186, label %187, label %178

187:                                              ; preds = %184, %178
  %188 = phi i64 [ %179, %178 ], [ %38, %184 ]
  %189 = icmp slt i64 %188, 0
  br i1 %189, label %248, label %190

190:                                              ; preds = %187, %173
  %191 = phi i64 [ %174, %173 ], [ %188, %187 ]
  %192 = icmp slt i64 %191, %38
  br i1 %192, label %193, label %217

193:                                              ; preds = %190
  %194 = getelementptr inbounds i8, ptr %39, i64 %191
  %195 = load i8, ptr %194, align 1
  %196 = icmp eq i8 %195, 46
  br i1 %196, label %197, label %217

197:                                              ; preds = %193
  %198 = add i64 %191, 1
  %199 = icmp slt i64 %198, %38
  br i1 %199, label %200, label %248

200:                                              ; preds = %197
  %201 = getelementptr inbounds i8, ptr %39, i64 %198
  %202 = load i8, ptr %201, align 1
  %203 = add i8 %202, -58
  %204 = icmp ult i8 %203, -10
  br i1 %204, label %248, label %205

205:                                              ; preds = %200, %211
  %206 = phi i64 [ %212, %211 ], [ %198, %200 ]
  %207 = getelementptr inbounds i8, ptr %39, i64 %206
  %208 = load i8, ptr %207, align 1
  %209 = add i8 %208, -58
  %210 = icmp ult i8 %209, -10
  br i1 %210, label %214, label %211

211:                                              ; preds = %205
  %212 = add i64 %206, 1
  %213 = icmp eq i64 %212, %38
  br i1 %213, label %214, label %205

214:                                              ; preds = %211, %205
  %215 = phi i64 [ %38, %211 ], [ %206, %205 ]
  %216 = icmp slt i64 %215, 0
  br i1 %216, label %248, label %217

217:                                              ; preds = %214, %193, %190
  %218 = phi i64 [ %215, %214 ], [ %191, %193 ], [ %191, %190 ]
  %219 = icmp slt i64 %218, %38
  br i1 %219, label %220, label %249

220:                                              ; preds = %217
  %221 = getelementptr inbounds i8, ptr %39, i64 %218
  %222 = load i8, ptr %221, align 1
  switch i8 %222, label %249 [
    i8 101, label %223
    i8 69, label %223
  ]

223:                                              ; preds = %220, %220
  %224 = add i64 %218, 1
  %225 = icmp slt i64 %224, %38
  br i1 %225, label %226, label %231

226:                                              ; preds = %223
  %227 = getelementptr inbounds i8, ptr %39, i64 %224
  %228 = load i8, ptr %227, align 1
  switch i8 %228, label %231 [
    i8 43, label %229
    i8 45, label %229
  ]

229:                                              ; preds = %226, %226
  %230 = add i64 %218, 2
  br label %231

231:                                              ; preds = %229, %226, %223
  %232 = phi i64 [ %230, %229 ], [ %224, %226 ], [ %224, %223 ]
  %233 = icmp slt i64 %232, %38
  br i1 %233, label %234, label %248

234:                                              ; preds = %231
  %235 = getelementptr inbounds i8, ptr %39, i64 %232
  %236 = load i8, ptr %235, align 1
  %237 = add i8 %236, -58
  %238 = icmp ult i8 %237, -10
  br i1 %238, label %248, label %239

239:                                              ; preds = %234, %245
  %240 = phi i64 [ %246, %245 ], [ %232, %234 ]
  %241 = getelementptr inbounds i8, ptr %39, i64 %240
  %242 = load i8, ptr %241, align 1
  %243 = add i8 %242, -58
  %244 = icmp ult i8 %243, -10
  br i1 %244, label %249, label %245

245:                                              ; preds = %239
  %246 = add i64 %240, 1
  %247 = icmp eq i64 %246, %38
  br i1 %247, label %249, label %239

248:                                              ; preds = %234, %231, %214, %200, %197, %187, %175, %164, %149, %134, %119, %155, %140, %125
  br label %664

249:                                              ; preds = %245, %239, %220, %217, %162, %147, %132, %116
  %250 = phi i64 [ %218, %217 ], [ %118, %116 ], [ %148, %147 ], [ %163, %162 ], [ %218, %220 ], [ %133, %132 ], [ %38, %245 ], [ %240, %239 ]
  %251 = icmp slt i64 %250, 0
  br i1 %251, label %664, label %252

252:                                              ; preds = %478, %249
  %253 = phi i64 [ %484, %478 ], [ %59, %249 ]
  %254 = phi i64 [ %482, %478 ], [ %60, %249 ]
  %255 = phi i64 [ %483, %478 ], [ %250, %249 ]
  %256 = getelementptr inbounds %struct.level, ptr %40, i64 %253
  %257 = getelementptr inbounds i8, ptr %256, i64 48
  %258 = load i8, ptr %257, align 8
  %259 = icmp eq i8 %258, 0
  br i1 %259, label %414, label %260

260:                                              ; preds = %252
  %261 = getelementptr inbounds i8, ptr %256, i64 32
  %262 = load i64, ptr %261, align 8
  %263 = icmp sgt i64 %262, -1
  br i1 %263, label %264, label %308

264:                                              ; preds = %260
  %265 = load ptr, ptr %0, align 8
  %266 = getelementptr inbounds %struct.node, ptr %265, i64 %262
  %267 = getelementptr inbounds i8, ptr %266, i64 32
  %268 = load i64, ptr %267, align 8
  %269 = icmp sgt i64 %268, -1
  br i1 %269, label %270, label %304

270:                                              ; preds = %264
  %271 = load i64, ptr %11, align 8
  %272 = mul i64 %271, %268
  %273 = add i64 %272, %31
  %274 = load ptr, ptr %19, align 8
  %275 = getelementptr inbounds i64, ptr %274, i64 %273
  %276 = load i64, ptr %275, align 8
  %277 = icmp slt i64 %276, 0
  br i1 %277, label %281, label %278

278:                                              ; preds = %270
  %279 = load ptr, ptr %25, align 8
  %280 = getelementptr inbounds i64, ptr %279, i64 %31
  store i64 %268, ptr %280, align 8
  br label %664

281:                                              ; preds = %270
  %282 = getelementptr inbounds i8, ptr %256, i64 24
  %283 = load i64, ptr %282, align 8
  store i64 %283, ptr %275, align 8
  %284 = load ptr, ptr %20, align 8
  %285 = getelementptr inbounds i64, ptr %284, i64 %273
  store i64 %255, ptr %285, align 8
  %286 = load ptr, ptr %21, align 8
  %287 = icmp eq ptr %286, null
  br i1 %287, label %304, label %288

288:                                              ; preds = %281
  %289 = getelementptr inbounds i8, ptr %266, i64 40
  %290 = load i64, ptr %289, align 8
  %291 = icmp eq i64 %290, 4
  br i1 %291, label %292, label %304

292:                                              ; preds = %288
  %293 = load i64, ptr %282, align 8
  %294 = getelementptr inbounds i8, ptr %286, i64 %293
  store i8 48, ptr %294, align 1
  %295 = load i64, ptr %282, align 8
  %296 = add i64 %295, 1
  %297 = icmp slt i64 %296, %255
  br i1 %297, label %298, label %304

298:                                              ; preds = %292, %298
  %299 = phi i64 [ %302, %298 ], [ %296, %292 ]
  %300 = load ptr, ptr %21, align 8
  %301 = getelementptr inbounds i8, ptr %300, i64 %299
  store i8 32, ptr %301, align 1
  %302 = add i64 %299, 1
  %303 = icmp eq i64 %302, %255
  br i1 %303, label %304, label %298

304:                                              ; preds = %298, %292, %288, %281, %264
  %305 = getelementptr inbounds i8, ptr %256, i64 50
  %306 = load i8, ptr %305, align 2
  %307 = icmp eq i8 %306, 0
  br i1 %307, label %411, label %317

308:                                              ; preds = %260
  %309 = load i64, ptr %256, align 8
  %310 = icmp sgt i64 %309, -1
  br i1 %310, label %311, label %411

311:                                              ; preds = %308
  %312 = load ptr, ptr %0, align 8
  %313 = getelementptr inbounds %struct.node, ptr %312, i64 %309
  %314 = getelementptr inbounds i8, ptr %313, i64 40
  %315 = load i64, ptr %314, align 8
  %316 = icmp eq i64 %315, 1
  br i1 %316, label %317, label %411

317:                                              ; preds = %311, %304
  %318 = load ptr, ptr %4, align 8
  %319 = icmp eq ptr %318, null
  br i1 %319, label %411, label %320

320:                                              ; preds = %317
  %321 = icmp sgt i64 %253, 0
  br i1 %321, label %324, label %348

322:                                              ; preds = %339
  %323 = icmp sgt i64 %340, -1
  br i1 %323, label %345, label %348

324:                                              ; preds = %320, %339
  %325 = phi i64 [ %341, %339 ], [ 0, %320 ]
  %326 = phi i64 [ %340, %339 ], [ -1, %320 ]
  %327 = getelementptr inbounds %struct.level, ptr %40, i64 %325
  %328 = getelementptr inbounds i8, ptr %327, i64 32
  %329 = load i64, ptr %328, align 8
  %330 = icmp sgt i64 %329, -1
  br i1 %330, label %331, label %339

331:                                              ; preds = %324
  %332 = load ptr, ptr %0, align 8
  %333 = getelementptr inbounds %struct.node, ptr %332, i64 %329
  %334 = getelementptr inbounds i8, ptr %333, i64 40
  %335 = load i64, ptr %334, align 8
  %336 = and i64 %335, -2
  %337 = icmp eq i64 %336, 2
  %338 = select i1 %337, i64 %325, i64 %326
  br label %339

339:                                              ; preds = %331, %324
  %340 = phi i64 [ %326, %324 ], [ %338, %331 ]
  %341 = add i64 %325, 1
  %342 = icmp slt i64 %341, %253
  %343 = icmp slt i64 %340, 0
  %344 = select i1 %342, i1 %343, i1 false
  br i1 %344, label %324, label %322

345:                                              ; preds = %322
  %346 = getelementptr inbounds %struct.level, ptr %40, i64 %340
  %347 = getelementptr inbounds i8, ptr %346, i64 50
  store i8 1, ptr %347, align 2
  br label %411

348:                                              ; preds = %322, %320
  %349 = icmp slt i64 %253, 0
  br i1 %349, label %350, label %368

350:                                              ; preds = %407, %348
  %351 = phi i64 [ %254, %348 ], [ %408, %407 ]
  %352 = load ptr, ptr %17, align 8
  %353 = getelementptr inbounds %struct.level, ptr %352, i64 %253
  %354 = getelementptr inbounds i8, ptr %353, i64 24
  %355 = load i64, ptr %354, align 8
  %356 = icmp slt i64 %355, %255
  br i1 %356, label %357, label %411

357:                                              ; preds = %350, %357
  %358 = phi i64 [ %366, %357 ], [ %355, %350 ]
  %359 = phi i64 [ %364, %357 ], [ %351, %350 ]
  %360 = load ptr, ptr %16, align 8
  %361 = getelementptr inbounds i8, ptr %360, i64 %358
  %362 = load i8, ptr %361, align 1
  %363 = load ptr, ptr %4, align 8
  %364 = add i64 %359, 1
  %365 = getelementptr inbounds i8, ptr %363, i64 %359
  store i8 %362, ptr %365, align 1
  %366 = add i64 %358, 1
  %367 = icmp eq i64 %366, %255
  br i1 %367, label %411, label %357

368:                                              ; preds = %348, %407
  %369 = phi i64 [ %408, %407 ], [ %254, %348 ]
  %370 = phi i64 [ %409, %407 ], [ 0, %348 ]
  %371 = load ptr, ptr %17, align 8
  %372 = getelementptr inbounds %struct.level, ptr %371, i64 %370
  %373 = icmp slt i64 %370, %253
  br i1 %373, label %374, label %378

374:                                              ; preds = %368
  %375 = getelementptr inbounds i8, ptr %372, i64 105
  %376 = load i8, ptr %375, align 1
  %377 = icmp eq i8 %376, 0
  br i1 %377, label %378, label %407

378:                                              ; preds = %374, %368
  %379 = getelementptr inbounds i8, ptr %372, i64 49
  %380 = load i8, ptr %379, align 1
  %381 = icmp eq i8 %380, 0
  %382 = select i1 %381, i8 123, i8 44
  %383 = load ptr, ptr %4, align 8
  %384 = add i64 %369, 1
  %385 = getelementptr inbounds i8, ptr %383, i64 %369
  store i8 %382, ptr %385, align 1
  store i8 1, ptr %379, align 1
  %386 = getelementptr inbounds i8, ptr %372, i64 8
  %387 = load i64, ptr %386, align 8
  %388 = getelementptr inbounds i8, ptr %372, i64 16
  %389 = load i64, ptr %388, align 8
  %390 = icmp slt i64 %387, %389
  br i1 %390, label %391, label %402

391:                                              ; preds = %378, %391
  %392 = phi i64 [ %400, %391 ], [ %387, %378 ]
  %393 = phi i64 [ %398, %391 ], [ %384, %378 ]
  %394 = load ptr, ptr %16, align 8
  %395 = getelementptr inbounds i8, ptr %394, i64 %392
  %396 = load i8, ptr %395, align 1
  %397 = load ptr, ptr %4, align 8
  %398 = add i64 %393, 1
  %399 = getelementptr inbounds i8, ptr %397, i64 %393
  store i8 %396, ptr %399, align 1
  %400 = add i64 %392, 1
  %401 = icmp eq i64 %400, %389
  br i1 %401, label %402, label %391

402:                                              ; preds = %391, %378
  %403 = phi i64 [ %384, %378 ], [ %398, %391 ]
  %404 = load ptr, ptr %4, align 8
  %405 = add i64 %403, 1
  %406 = getelementptr inbounds i8, ptr %404, i64 %403
  store i8 58, ptr %406, align 1
  br label %407

407:                                              ; preds = %402, %374
  %408 = phi i64 [ %405, %402 ], [ %369, %374 ]
  %409 = add i64 %370, 1
  %410 = icmp eq i64 %370, %253
  br i1 %410, label %350, label %368

411:                                              ; preds = %357, %350, %345, %317, %311, %308, %304
  %412 = phi i64 [ %254, %311 ], [ %254, %317 ], [ %254, %345 ], [ %254, %308 ], [ %351, %350 ], [ %254, %304 ], [ %364, %357 ]
  %413 = getelementptr inbounds i8, ptr %256, i64 50
  store i8 0, ptr %413, align 2
  br label %414

414:                                              ; preds = %411, %252
  %415 = phi i64 [ %412, %411 ], [ %254, %252 ]
  %416 = icmp slt i64 %255, %38
  br i1 %416, label %417, label %424

417:                                              ; preds = %414, %421
  %418 = phi i64 [ %422, %421 ], [ %255, %414 ]
  %419 = getelementptr inbounds i8, ptr %39, i64 %418
  %420 = load i8, ptr %419, align 1
  switch i8 %420, label %424 [
    i8 32, label %421
    i8 13, label %421
    i8 9, label %421
    i8 10, label %421
  ]

421:                                              ; preds = %417, %417, %417, %417
  %422 = add i64 %418, 1
  %423 = icmp eq i64 %422, %38
  br i1 %423, label %664, label %417

424:                                              ; preds = %417, %414
  %425 = phi i64 [ %255, %414 ], [ %418, %417 ]
  %426 = icmp slt i64 %425, %38
  br i1 %426, label %427, label %664

427:                                              ; preds = %424
  %428 = getelementptr inbounds i8, ptr %39, i64 %425
  %429 = load i8, ptr %428, align 1
  %430 = icmp eq i8 %429, 44
  br i1 %430, label %431, label %462

431:                                              ; preds = %427
  %432 = add i64 %425, 1
  %433 = icmp slt i64 %432, %38
  br i1 %433, label %434, label %441

434:                                              ; preds = %431, %438
  %435 = phi i64 [ %439, %438 ], [ %432, %431 ]
  %436 = getelementptr inbounds i8, ptr %39, i64 %435
  %437 = load i8, ptr %436, align 1
  switch i8 %437, label %441 [
    i8 32, label %438
    i8 13, label %438
    i8 9, label %438
    i8 10, label %438
  ]

438:                                              ; preds = %434, %434, %434, %434
  %439 = add i64 %435, 1
  %440 = icmp eq i64 %439, %38
  br i1 %440, label %664, label %434

441:                                              ; preds = %434, %431
  %442 = phi i64 [ %432, %431 ], [ %435, %434 ]
  %443 = icmp slt i64 %442, %38
  br i1 %443, label %444, label %664

444:                                              ; preds = %441
  %445 = load i8, ptr %257, align 8
  %446 = icmp eq i8 %445, 0
  br i1 %446, label %450, label %447

447:                                              ; preds = %444
  %448 = getelementptr inbounds i8, ptr %39, i64 %442
  %449 = load i8, ptr %448, align 1
  br label %498

450:                                              ; preds = %444
  %451 = load i64, ptr %256, align 8
  %452 = icmp sgt i64 %451, -1
  br i1 %452, label %453, label %657

453:                                              ; preds = %450
  %454 = load ptr, ptr %0, align 8
  %455 = getelementptr inbounds %struct.node, ptr %454, i64 %451
  %456 = getelementptr inbounds i8, ptr %455, i64 40
  %457 = load i64, ptr %456, align 8
  %458 = icmp eq i64 %457, 2
  br i1 %458, label %459, label %657

459:                                              ; preds = %453
  %460 = getelementptr inbounds i8, ptr %455, i64 16
  %461 = load i64, ptr %460, align 8
  br label %657

462:                                              ; preds = %427
  %463 = zext i8 %429 to i32
  %464 = load i8, ptr %257, align 8
  %465 = icmp eq i8 %464, 0
  %466 = select i1 %465, i32 93, i32 125
  %467 = icmp eq i32 %466, %463
  br i1 %467, label %468, label %664

468:                                              ; preds = %462
  %469 = getelementptr inbounds i8, ptr %256, i64 49
  %470 = load i8, ptr %469, align 1
  %471 = icmp eq i8 %470, 0
  br i1 %471, label %478, label %472

472:                                              ; preds = %468
  %473 = load ptr, ptr %4, align 8
  %474 = icmp eq ptr %473, null
  br i1 %474, label %478, label %475

475:                                              ; preds = %472
  %476 = add i64 %415, 1
  %477 = getelementptr inbounds i8, ptr %473, i64 %415
  store i8 125, ptr %477, align 1
  br label %478

478:                                              ; preds = %475, %472, %468, %97
  %479 = phi i64 [ %425, %475 ], [ %425, %472 ], [ %425, %468 ], [ %95, %97 ]
  %480 = phi i64 [ %253, %475 ], [ %253, %472 ], [ %253, %468 ], [ %65, %97 ]
  %481 = phi i64 [ %476, %475 ], [ %415, %472 ], [ %415, %468 ], [ %60, %97 ]
  %482 = freeze i64 %481
  %483 = add i64 %479, 1
  %484 = add i64 %480, -1
  %485 = icmp sgt i64 %480, 0
  br i1 %485, label %252, label %486

486:                                              ; preds = %478
  %487 = icmp slt i64 %483, %38
  br i1 %487, label %488, label %495

488:                                              ; preds = %486, %492
  %489 = phi i64 [ %493, %492 ], [ %483, %486 ]
  %490 = getelementptr inbounds i8, ptr %39, i64 %489
  %491 = load i8, ptr %490, align 1
  switch i8 %491, label %495 [
    i8 32, label %492
    i8 13, label %492
    i8 9, label %492
    i8 10, label %492
  ]

492:                                              ; preds = %488, %488, %488, %488
  %493 = add i64 %489, 1
  %494 = icmp eq i64 %493, %38
  br i1 %494, label %668, label %488

495:                                              ; preds = %488, %486
  %496 = phi i64 [ %483, %486 ], [ %489, %488 ]
  %497 = icmp eq i64 %496, %38
  br i1 %497, label %668, label %664

498:                                              ; preds = %447, %114
  %499 = phi i8 [ %99, %114 ], [ %449, %447 ]
  %500 = phi i64 [ %65, %114 ], [ %253, %447 ]
  %501 = phi i64 [ %60, %114 ], [ %415, %447 ]
  %502 = phi i64 [ %95, %114 ], [ %442, %447 ]
  %503 = getelementptr inbounds i8, ptr %39, i64 %502
  %504 = icmp eq i8 %499, 34
  br i1 %504, label %505, label %664

505:                                              ; preds = %498
  %506 = getelementptr inbounds %struct.level, ptr %40, i64 %500
  store i32 0, ptr %3, align 4
  %507 = getelementptr inbounds i8, ptr %506, i64 8
  store i64 %502, ptr %507, align 8
  %508 = add i64 %502, 1
  %509 = call fastcc i64 @end_of_string(ptr %39, i64 %508, i64 %38, ptr %3)
  %510 = icmp slt i64 %509, 0
  br i1 %510, label %653, label %511

511:                                              ; preds = %505
  %512 = getelementptr inbounds i8, ptr %506, i64 16
  store i64 %509, ptr %512, align 8
  %513 = getelementptr inbounds i8, ptr %506, i64 32
  store i64 -1, ptr %513, align 8
  %514 = load i64, ptr %506, align 8
  %515 = icmp sgt i64 %514, -1
  br i1 %515, label %516, label %623

516:                                              ; preds = %511
  %517 = load ptr, ptr %0, align 8
  %518 = getelementptr inbounds %struct.node, ptr %517, i64 %514
  %519 = getelementptr inbounds i8, ptr %518, i64 40
  %520 = load i64, ptr %519, align 8
  switch i64 %520, label %623 [
    i64 1, label %521
    i64 3, label %620
  ]

521:                                              ; preds = %516
  %522 = load i32, ptr %3, align 4
  %523 = icmp eq i32 %522, 0
  br i1 %523, label %527, label %524

524:                                              ; preds = %521
  %525 = load i64, ptr %22, align 8
  %526 = icmp eq i64 %525, 0
  br i1 %526, label %653, label %527

527:                                              ; preds = %524, %521
  %528 = getelementptr inbounds i8, ptr %503, i64 1
  %529 = sub i64 %509, %502
  %530 = add i64 %529, -2
  %531 = getelementptr inbounds i8, ptr %506, i64 40
  %532 = load i64, ptr %531, align 8
  %533 = add i64 %532, 1
  %534 = getelementptr inbounds i8, ptr %518, i64 16
  %535 = load i64, ptr %534, align 8
  %536 = getelementptr inbounds i8, ptr %518, i64 24
  %537 = load i64, ptr %536, align 8
  %538 = add i64 %537, %535
  %539 = icmp slt i64 %533, %538
  %540 = select i1 %539, i64 %533, i64 %535
  %541 = icmp eq i64 %537, 0
  br i1 %541, label %561, label %542

542:                                              ; preds = %527
  %543 = getelementptr inbounds %struct.node, ptr %517, i64 %540
  %544 = getelementptr inbounds i8, ptr %543, i64 8
  %545 = load i64, ptr %544, align 8
  %546 = icmp eq i64 %545, %530
  br i1 %546, label %547, label %561

547:                                              ; preds = %542
  %548 = icmp sgt i64 %529, 2
  br i1 %548, label %549, label %615

549:                                              ; preds = %547
  %550 = load ptr, ptr %543, align 8
  br label %554

551:                                              ; preds = %554
  %552 = add i64 %555, 1
  %553 = icmp eq i64 %552, %530
  br i1 %553, label %615, label %554

554:                                              ; preds = %551, %549
  %555 = phi i64 [ 0, %549 ], [ %552, %551 ]
  %556 = getelementptr inbounds i8, ptr %550, i64 %555
  %557 = load i8, ptr %556, align 1
  %558 = getelementptr inbounds i8, ptr %528, i64 %555
  %559 = load i8, ptr %558, align 1
  %560 = icmp eq i8 %557, %559
  br i1 %560, label %551, label %561

561:                                              ; preds = %554, %542, %527
  %562 = trunc i64 %514 to i32
  %563 = xor i32 %562, -2128831035
  %564 = icmp sgt i64 %529, 2
  br i1 %564, label %574, label %565

565:                                              ; preds = %574, %561
  %566 = phi i32 [ %563, %561 ], [ %581, %574 ]
  %567 = zext i32 %566 to i64
  %568 = load i64, ptr %23, align 8
  %569 = and i64 %568, %567
  %570 = load ptr, ptr %24, align 8
  %571 = getelementptr inbounds i64, ptr %570, i64 %569
  %572 = load i64, ptr %571, align 8
  %573 = icmp slt i64 %572, 0
  br i1 %573, label %623, label %584

574:                                              ; preds = %561, %574
  %575 = phi i64 [ %582, %574 ], [ 0, %561 ]
  %576 = phi i32 [ %581, %574 ], [ %563, %561 ]
  %577 = getelementptr inbounds i8, ptr %528, i64 %575
  %578 = load i8, ptr %577, align 1
  %579 = zext i8 %578 to i32
  %580 = xor i32 %576, %579
  %581 = mul i32 %580, 16777619
  %582 = add i64 %575, 1
  %583 = icmp eq i64 %582, %530
  br i1 %583, label %565, label %574

584:                                              ; preds = %565, %609
  %585 = phi i64 [ %613, %609 ], [ %572, %565 ]
  %586 = phi i64 [ %611, %609 ], [ %569, %565 ]
  %587 = icmp sge i64 %585, %535
  %588 = icmp slt i64 %585, %538
  %589 = select i1 %587, i1 %588, i1 false
  br i1 %589, label %590, label %609

590:                                              ; preds = %584
  %591 = getelementptr inbounds %struct.node, ptr %517, i64 %585
  %592 = getelementptr inbounds i8, ptr %591, i64 8
  %593 = load i64, ptr %592, align 8
  %594 = icmp eq i64 %593, %530
  br i1 %594, label %595, label %609

595:                                              ; preds = %590
  br i1 %564, label %597, label %596

596:                                              ; preds = %595
  store i64 %585, ptr %513, align 8
  br label %618

597:                                              ; preds = %595
  %598 = load ptr, ptr %591, align 8
  br label %602

599:                                              ; preds = %602
  %600 = add i64 %603, 1
  %601 = icmp eq i64 %600, %530
  br i1 %601, label %615, label %602

602:                                              ; preds = %599, %597
  %603 = phi i64 [ 0, %597 ], [ %600, %599 ]
  %604 = getelementptr inbounds i8, ptr %598, i64 %603
  %605 = load i8, ptr %604, align 1
  %606 = getelementptr inbounds i8, ptr %528, i64 %603
  %607 = load i8, ptr %606, align 1
  %608 = icmp eq i8 %605, %607
  br i1 %608, label %599, label %609

609:                                              ; preds = %602, %590, %584
  %610 = add i64 %586, 1
  %611 = and i64 %610, %568
  %612 = getelementptr inbounds i64, ptr %570, i64 %611
  %613 = load i64, ptr %612, align 8
  %614 = icmp slt i64 %613, 0
  br i1 %614, label %623, label %584

615:                                              ; preds = %551, %599, %547
  %616 = phi i64 [ %585, %599 ], [ %540, %547 ], [ %540, %551 ]
  store i64 %616, ptr %513, align 8
  %617 = icmp sgt i64 %616, -1
  br i1 %617, label %618, label %623

618:                                              ; preds = %615, %596
  %619 = phi i64 [ %585, %596 ], [ %616, %615 ]
  store i64 %619, ptr %531, align 8
  br label %623

620:                                              ; preds = %516
  %621 = getelementptr inbounds i8, ptr %518, i64 16
  %622 = load i64, ptr %621, align 8
  store i64 %622, ptr %513, align 8
  br label %623

623:                                              ; preds = %609, %620, %618, %615, %565, %516, %511
  %624 = phi i64 [ -1, %511 ], [ %619, %618 ], [ %616, %615 ], [ %622, %620 ], [ -1, %516 ], [ -1, %565 ], [ -1, %609 ]
  %625 = icmp slt i64 %509, %38
  br i1 %625, label %626, label %633

626:                                              ; preds = %623, %630
  %627 = phi i64 [ %631, %630 ], [ %509, %623 ]
  %628 = getelementptr inbounds i8, ptr %39, i64 %627
  %629 = load i8, ptr %628, align 1
  switch i8 %629, label %633 [
    i8 32, label %630
    i8 13, label %630
    i8 9, label %630
    i8 10, label %630
  ]

630:                                              ; preds = %626, %626, %626, %626
  %631 = add i64 %627, 1
  %632 = icmp eq i64 %631, %38
  br i1 %632, label %653, label %626

633:                                              ; preds = %626, %623
  %634 = phi i64 [ %509, %623 ], [ %627, %626 ]
  %635 = icmp slt i64 %634, %38
  br i1 %635, label %636, label %653

636:                                              ; preds = %633
  %637 = getelementptr inbounds i8, ptr %39, i64 %634
  %638 = load i8, ptr %637, align 1
  %639 = icmp eq i8 %638, 58
  br i1 %639, label %640, label %653

640:                                              ; preds = %636
  %641 = add i64 %634, 1
  %642 = icmp slt i64 %641, %38
  br i1 %642, label %643, label %650

643:                                              ; preds = %640, %647
  %644 = phi i64 [ %648, %647 ], [ %641, %640 ]
  %645 = getelementptr inbounds i8, ptr %39, i64 %644
  %646 = load i8, ptr %645, align 1
  switch i8 %646, label %650 [
    i8 32, label %647
    i8 13, label %647
    i8 9, label %647
    i8 10, label %647
  ]

647:                                              ; preds = %643, %643, %643, %643
  %648 = add i64 %644, 1
  %649 = icmp eq i64 %648, %38
  br i1 %649, label %653, label %643

650:                                              ; preds = %643, %640
  %651 = phi i64 [ %641, %640 ], [ %644, %643 ]
  %652 = icmp slt i64 %651, %38
  br i1 %652, label %655, label %653

653:                                              ; preds = %650, %636, %633, %524, %505, %630, %647
  %654 = phi i64 [ -2, %630 ], [ -2, %647 ], [ -5, %524 ], [ -2, %636 ], [ -2, %633 ], [ -2, %505 ], [ -2, %650 ]
  br label %664

655:                                              ; preds = %650
  %656 = getelementptr inbounds i8, ptr %506, i64 24
  store i64 %651, ptr %656, align 8
  br label %657

657:                                              ; preds = %655, %459, %453, %450, %114, %111, %105
  %658 = phi i64 [ %651, %655 ], [ %442, %459 ], [ %442, %450 ], [ %95, %105 ], [ %95, %111 ], [ %442, %453 ], [ %95, %114 ]
  %659 = phi i64 [ %501, %655 ], [ %415, %459 ], [ %415, %450 ], [ %60, %105 ], [ %60, %111 ], [ %415, %453 ], [ %60, %114 ]
  %660 = phi i64 [ %500, %655 ], [ %253, %459 ], [ %253, %450 ], [ %65, %105 ], [ %65, %111 ], [ %253, %453 ], [ %65, %114 ]
  %661 = phi i64 [ %624, %655 ], [ %461, %459 ], [ -1, %450 ], [ -1, %105 ], [ %113, %111 ], [ -1, %453 ], [ -1, %114 ]
  %662 = getelementptr inbounds i8, ptr %39, i64 %658
  %663 = load i8, ptr %662, align 1
  br label %56

664:                                              ; preds = %46, %498, %462, %441, %424, %94, %64, %249, %91, %421, %438, %278, %52, %49, %248, %495, %653
  %665 = phi i64 [ -2, %91 ], [ -2, %495 ], [ -4, %278 ], [ -2, %248 ], [ -2, %438 ], [ -2, %49 ], [ -2, %52 ], [ -2, %249 ], [ %654, %653 ], [ -2, %421 ], [ -2, %498 ], [ -2, %462 ], [ -2, %441 ], [ -2, %424 ], [ -2, %94 ], [ -3, %64 ], [ -2, %46 ]
  %666 = trunc i64 %665 to i8
  %667 = xor i8 %666, -1
  br label %673

668:                                              ; preds = %492, %495
  %669 = icmp slt i64 %482, 0
  %670 = trunc i64 %482 to i8
  %671 = xor i8 %670, -1
  %672 = select i1 %669, i8 %671, i8 0
  br label %673

673:                                              ; preds = %668, %664
  %674 = phi i64 [ %482, %668 ], [ %665, %664 ]
  %675 = phi i8 [ %672, %668 ], [ %667, %664 ]
  %676 = load ptr, ptr %26, align 8
  %677 = getelementptr inbounds i8, ptr %676, i64 %31
  store i8 %675, ptr %677, align 1
  %678 = load ptr, ptr %4, align 8
  %679 = icmp eq ptr %678, null
  br i1 %679, label %687, label %680

680:                                              ; preds = %673
  %681 = icmp slt i64 %674, 0
  %682 = select i1 %681, i64 %30, i64 %674
  %683 = add i64 %682, 1
  %684 = getelementptr inbounds i8, ptr %678, i64 %682
  store i8 10, ptr %684, align 1
  %685 = load ptr, ptr %27, align 8
  %686 = getelementptr inbounds i64, ptr %685, i64 %35
  store i64 %683, ptr %686, align 8
  br label %687

687:                                              ; preds = %673, %680
  %688 = phi i64 [ %683, %680 ], [ %30, %673 ]
  %689 = load i64, ptr %11, align 8
  %690 = icmp slt i64 %35, %689
  br i1 %690, label %29, label %28
}

define void @gather_texts(ptr %0, i64 %1, ptr %2, ptr %3, ptr %4, ptr %5) {
  %7 = icmp sgt i64 %1, 0
  br i1 %7, label %9, label %8

8:                                                ; preds = %30, %6
  ret void

9:                                                ; preds = %6, %30
  %10 = phi i64 [ %31, %30 ], [ 0, %6 ]
  %11 = getelementptr inbounds i64, ptr %2, i64 %10
  %12 = load i64, ptr %11, align 8
  %13 = icmp slt i64 %12, 0
  br i1 %13, label %30, label %14

14:                                               ; preds = %9
  %15 = getelementptr inbounds i8, ptr %0, i64 %12
  %16 = getelementptr inbounds i64, ptr %5, i64 %10
  %17 = load i64, ptr %16, align 8
  %18 = getelementptr inbounds i8, ptr %4, i64 %17
  %19 = getelementptr inbounds i64, ptr %3, i64 %10
  %20 = load i64, ptr %19, align 8
  %21 = sub i64 %20, %12
  %22 = icmp sgt i64 %21, 0
  br i1 %22, label %23, label %30

23:                                               ; preds = %14, %23
  %24 = phi i64 [ %28, %23 ], [ 0, %14 ]
  %25 = getelementptr inbounds i8, ptr %15, i64 %24
  %26 = load i8, ptr %25, align 1
  %27 = getelementptr inbounds i8, ptr %18, i64 %24
  store i8 %26, ptr %27, align 1
  %28 = add i64 %24, 1
  %29 = icmp eq i64 %28, %21
  br i1 %29, label %30, label %23

30:                                               ; preds = %23, %14, %9
  %31 = add i64 %10, 1
  %32 = icmp eq i64 %31, %1
  br i1 %32, label %8, label %9
}

define internal fastcc i64 @end_of_string(ptr %0, i64 %1, i64 %2, ptr %3) {
  %5 = icmp slt i64 %1, %2
  br i1 %5, label %6, label %45

6:                                                ; preds = %4, %42
  %7 = phi i64 [ %43, %42 ], [ %1, %4 ]
  %8 = add i64 %7, 1
  %9 = getelementptr inbounds i8, ptr %0, i64 %7
  %10 = load i8, ptr %9, align 1
  %11 = icmp eq i8 %10, 34
  br i1 %11, label %45, label %12

12:                                               ; preds = %6
  %13 = icmp ult i8 %10, 32
  br i1 %13, label %45, label %14

14:                                               ; preds = %12
  %15 = icmp eq i8 %10, 92
  br i1 %15, label %16, label %42

16:                                               ; preds = %14
  store i32 1, ptr %3, align 4
  %17 = icmp slt i64 %8, %2
  br i1 %17, label %18, label %45

18:                                               ; preds = %16
  %19 = add i64 %7, 2
  %20 = getelementptr inbounds i8, ptr %0, i64 %8
  %21 = load i8, ptr %20, align 1
  switch i8 %21, label %45 [
    i8 34, label %42
    i8 92, label %42
    i8 47, label %42
    i8 98, label %42
    i8 102, label %42
    i8 110, label %42
    i8 114, label %42
    i8 116, label %42
    i8 117, label %22
  ]

22:                                               ; preds = %18
  %23 = sub i64 %2, %19
  %24 = icmp slt i64 %23, 4
  br i1 %24, label %45, label %25

25:                                               ; preds = %22
  %26 = getelementptr i8, ptr %0, i64 %19
  br label %30

27:                                               ; preds = %30
  %28 = add i64 %31, 1
  %29 = icmp eq i64 %28, 4
  br i1 %29, label %40, label %30

30:                                               ; preds = %25, %27
  %31 = phi i64 [ 0, %25 ], [ %28, %27 ]
  %32 = getelementptr i8, ptr %26, i64 %31
  %33 = load i8, ptr %32, align 1
  %34 = add i8 %33, -58
  %35 = icmp ult i8 %34, -10
  %36 = and i8 %33, -33
  %37 = add i8 %36, -71
  %38 = icmp ult i8 %37, -6
  %39 = and i1 %35, %38
  br i1 %39, label %45, label %27

40:                                               ; preds = %27
  %41 = add i64 %7, 6
  br label %42

42:                                               ; preds = %18, %18, %18, %18, %18, %18, %18, %18, %40, %14
  %43 = phi i64 [ %19, %18 ], [ %41, %40 ], [ %8, %14 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ], [ %19, %18 ]
  %44 = icmp slt i64 %43, %2
  br i1 %44, label %6, label %45

45:                                               ; preds = %42, %6, %12, %22, %18, %16, %30, %4
  %46 = phi i64 [ -1, %30 ], [ -1, %4 ], [ %8, %6 ], [ -1, %12 ], [ -1, %22 ], [ -1, %18 ], [ -1, %42 ], [ -1, %16 ]
  ret i64 %46
}
